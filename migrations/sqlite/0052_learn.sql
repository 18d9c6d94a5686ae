-- Who takes a course, and how far they came.
create table enrollments (
  id text primary key,
  user_id text not null constraint enrollments_user_id_fkey references users (id) on delete cascade,
  course_id text not null constraint enrollments_course_id_fkey references courses (id) on delete cascade,
  source text not null default 'free' constraint enrollments_source_check check (source in ('free', 'grant')),
  started_at integer,
  completed_at integer,
  revoked_at integer,
  revoked_for text,
  -- Everything is open to this person, whatever the schedule.
  opened_all integer not null default 0 check (opened_all in (0, 1)),
  created_at integer not null,
  constraint enrollments_user_id_course_id_key unique (user_id, course_id)
) strict;
create index enrollments_course_id_idx on enrollments (course_id, created_at, id);

-- covered has a bit for every five seconds that were played, in base64. It only ever gains bits.
create table lesson_progress (
  id text primary key,
  user_id text not null constraint lesson_progress_user_id_fkey references users (id) on delete cascade,
  course_id text not null constraint lesson_progress_course_id_fkey references courses (id) on delete cascade,
  lesson_id text not null constraint lesson_progress_lesson_id_fkey references lessons (id) on delete cascade,
  position_seconds integer not null default 0,
  -- The moment, by the player's clock, that the position is of.
  position_at integer not null,
  covered text not null default '' check (length(covered) <= 1024),
  completed_at integer,
  updated_at integer not null,
  created_at integer not null,
  constraint lesson_progress_user_id_lesson_id_key unique (user_id, lesson_id)
) strict;
create index lesson_progress_user_id_course_id_idx on lesson_progress (user_id, course_id, updated_at);
create index lesson_progress_course_id_idx on lesson_progress (course_id, lesson_id);
create index lesson_progress_lesson_id_idx on lesson_progress (lesson_id);

-- How somebody likes to watch: the speed in percent, and the language of captions, '' for none.
create table learner_settings (
  user_id text primary key references users (id) on delete cascade,
  speed integer not null default 100 check (speed between 25 and 400),
  captions text not null default '' check (length(captions) <= 35)
) strict;
