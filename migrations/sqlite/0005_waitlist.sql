create table workshops (
  id text primary key,
  title text not null constraint workshops_title_key unique,
  host text not null,
  about text not null,
  learn text not null,
  date_text text not null,
  time_text text not null,
  duration_minutes integer not null constraint workshops_duration_minutes_check check (duration_minutes > 0),
  starts_at integer,
  spots integer not null constraint workshops_spots_check check (spots >= 0),
  -- The constraint, not a count, is what keeps the thirteenth person out.
  spots_left integer not null,
  created_at integer not null,
  constraint workshops_spots_left_check check (spots_left >= 0)
) strict;

create table course_waitlist (
  id text primary key,
  user_id text constraint course_waitlist_user_id_fkey references users (id) on delete cascade,
  course_title text not null,
  email text not null,
  name text,
  created_at integer not null,
  course_id text constraint course_waitlist_course_id_fkey references courses (id) on delete set null,
  workshop_id text constraint course_waitlist_workshop_id_fkey references workshops (id) on delete cascade,
  -- The address in lower case, for workshop registrations: one person, one place.
  email_key text,
  spot integer constraint course_waitlist_spot_check check (spot >= 1),
  -- When the letter about the course's launch went into the outbox.
  told_at integer,
  constraint course_waitlist_user_id_course_title_key unique (user_id, course_title),
  constraint course_waitlist_workshop_id_email_key unique (workshop_id, email_key),
  constraint course_waitlist_workshop_id_spot_key unique (workshop_id, spot)
) strict;
create index course_waitlist_user_id_created_at_idx on course_waitlist (user_id, created_at desc, id);
create index course_waitlist_created_at_idx on course_waitlist (created_at desc, id);
create index course_waitlist_course_id_idx on course_waitlist (course_id);
create index course_waitlist_course_title_idx on course_waitlist (course_title, created_at desc, id);
create index course_waitlist_waiting_idx on course_waitlist (workshop_id, created_at, id) where spot is null;
create index course_waitlist_untold_idx on course_waitlist (course_id, id) where told_at is null;

-- Courses that came out and whose waiting people have not all been told yet.
create table course_launches (
  course_id text primary key constraint course_launches_course_id_fkey references courses (id) on delete cascade,
  launched_at integer not null
) strict;
