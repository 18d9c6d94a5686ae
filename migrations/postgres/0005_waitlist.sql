create table workshops (
  id uuid primary key,
  title text collate "C" not null constraint workshops_title_key unique,
  host text collate "C" not null,
  about text collate "C" not null,
  learn text collate "C" not null,
  date_text text collate "C" not null,
  time_text text collate "C" not null,
  duration_minutes integer not null constraint workshops_duration_minutes_check check (duration_minutes > 0),
  starts_at timestamptz,
  spots integer not null constraint workshops_spots_check check (spots >= 0),
  -- The constraint, not a count, is what keeps the thirteenth person out.
  spots_left integer not null,
  created_at timestamptz not null,
  constraint workshops_spots_left_check check (spots_left >= 0)
);

create table course_waitlist (
  id uuid primary key,
  user_id uuid constraint course_waitlist_user_id_fkey references users (id) on delete cascade,
  course_title text collate "C" not null,
  email text collate "C" not null,
  name text collate "C",
  created_at timestamptz not null,
  course_id uuid constraint course_waitlist_course_id_fkey references courses (id) on delete set null,
  workshop_id uuid constraint course_waitlist_workshop_id_fkey references workshops (id) on delete cascade,
  -- The address in lower case, for workshop registrations: one person, one place.
  email_key text collate "C",
  spot integer constraint course_waitlist_spot_check check (spot >= 1),
  -- When the letter about the course's launch went into the outbox.
  told_at timestamptz,
  constraint course_waitlist_user_id_course_title_key unique (user_id, course_title),
  constraint course_waitlist_workshop_id_email_key unique (workshop_id, email_key),
  constraint course_waitlist_workshop_id_spot_key unique (workshop_id, spot)
);
create index course_waitlist_user_id_created_at_idx on course_waitlist (user_id, created_at desc, id);
create index course_waitlist_created_at_idx on course_waitlist (created_at desc, id);
create index course_waitlist_course_id_idx on course_waitlist (course_id);
create index course_waitlist_course_title_idx on course_waitlist (course_title, created_at desc, id);
create index course_waitlist_waiting_idx on course_waitlist (workshop_id, created_at, id) where spot is null;
create index course_waitlist_untold_idx on course_waitlist (course_id, id) where told_at is null;

-- Courses that came out and whose waiting people have not all been told yet.
create table course_launches (
  course_id uuid primary key constraint course_launches_course_id_fkey references courses (id) on delete cascade,
  launched_at timestamptz not null
);
