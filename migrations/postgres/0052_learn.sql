-- Who takes a course, and how far they came.
create table enrollments (
  id uuid primary key,
  user_id uuid not null constraint enrollments_user_id_fkey references users (id) on delete cascade,
  course_id uuid not null constraint enrollments_course_id_fkey references courses (id) on delete cascade,
  source text collate "C" not null default 'free' constraint enrollments_source_check check (source in ('free', 'grant')),
  started_at timestamptz,
  completed_at timestamptz,
  revoked_at timestamptz,
  revoked_for text collate "C",
  -- Everything is open to this person, whatever the schedule.
  opened_all boolean not null default false,
  created_at timestamptz not null,
  constraint enrollments_user_id_course_id_key unique (user_id, course_id)
);
create index enrollments_course_id_idx on enrollments (course_id, created_at, id);

-- covered has a bit for every five seconds that were played, in base64. It only ever gains bits.
create table lesson_progress (
  id uuid primary key,
  user_id uuid not null constraint lesson_progress_user_id_fkey references users (id) on delete cascade,
  course_id uuid not null constraint lesson_progress_course_id_fkey references courses (id) on delete cascade,
  lesson_id uuid not null constraint lesson_progress_lesson_id_fkey references lessons (id) on delete cascade,
  position_seconds integer not null default 0,
  -- The moment, by the player's clock, that the position is of.
  position_at timestamptz not null,
  covered text collate "C" not null default '' check (length(covered) <= 1024),
  completed_at timestamptz,
  updated_at timestamptz not null,
  created_at timestamptz not null,
  constraint lesson_progress_user_id_lesson_id_key unique (user_id, lesson_id)
);
create index lesson_progress_user_id_course_id_idx on lesson_progress (user_id, course_id, updated_at);
create index lesson_progress_course_id_idx on lesson_progress (course_id, lesson_id);
create index lesson_progress_lesson_id_idx on lesson_progress (lesson_id);

-- How somebody likes to watch: the speed in percent, and the language of captions, '' for none.
create table learner_settings (
  user_id uuid primary key references users (id) on delete cascade,
  speed integer not null default 100 check (speed between 25 and 400),
  captions text collate "C" not null default '' check (length(captions) <= 35)
);
