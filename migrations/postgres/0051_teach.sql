-- What a course teaches: its sections and lessons, what a lesson holds, who teaches it, and on which terms it is open.

-- The terms of a course that has something to take. published_at is when its first lesson came out; it is null again while
-- there is none. lessons and seconds are those of the published lessons.
create table course_offers (
  id uuid primary key,
  course_id uuid not null constraint course_offers_course_id_key unique constraint course_offers_course_id_fkey references courses (id) on delete cascade,
  -- 0 is free, null is not for sale.
  price_cents integer default 0 constraint course_offers_price_cents_check check (price_cents between 0 and 10000000),
  open boolean not null default true,
  strict boolean not null default false,
  lessons integer not null default 0,
  seconds integer not null default 0,
  -- The video that anybody may watch on the course's page.
  trailer_id uuid constraint course_offers_trailer_id_fkey references videos (id) on delete set null,
  published_at timestamptz,
  created_at timestamptz not null
);
create index course_offers_trailer_id_idx on course_offers (trailer_id);

create table course_sections (
  id uuid primary key,
  course_id uuid not null constraint course_sections_course_id_fkey references courses (id) on delete cascade,
  title text collate "C" not null constraint course_sections_title_check check (length(title) between 1 and 120),
  position integer not null,
  created_at timestamptz not null
);
create index course_sections_course_id_position_idx on course_sections (course_id, position, id);

create table lessons (
  id uuid primary key,
  course_id uuid not null constraint lessons_course_id_fkey references courses (id) on delete cascade,
  section_id uuid not null constraint lessons_section_id_fkey references course_sections (id),
  title text collate "C" not null constraint lessons_title_check check (length(title) between 1 and 150),
  kind text collate "C" not null constraint lessons_kind_check check (kind in ('text', 'video', 'quiz')),
  -- Counts through the whole course, section after section.
  position integer not null,
  state text collate "C" not null default 'draft' constraint lessons_state_check check (state in ('draft', 'published')),
  preview boolean not null default false,
  -- It opens so many days after somebody enrolled, or at this moment, which wins.
  release_days integer constraint lessons_release_days_check check (release_days between 0 and 3650),
  release_at timestamptz,
  seconds integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null
);
create index lessons_course_id_position_idx on lessons (course_id, position, id);
create index lessons_section_id_idx on lessons (section_id, position);

-- What a lesson holds. Learners get body; draft_body is what is being written, and draft_version counts its changes.
create table lesson_contents (
  lesson_id uuid primary key references lessons (id) on delete cascade,
  body text collate "C" not null default '',
  draft_body text collate "C" not null default '',
  draft_version integer not null default 1,
  drafted_at timestamptz not null,
  video_id uuid references videos (id) on delete set null
);
create index lesson_contents_video_id_idx on lesson_contents (video_id);

-- Files that come with a lesson: stored objects, under the name that learners see.
create table lesson_files (
  id uuid primary key,
  lesson_id uuid not null references lessons (id) on delete cascade,
  object_id uuid not null references storage_objects (id) on delete cascade,
  name text collate "C" not null check (length(name) between 1 and 200),
  position integer not null,
  created_at timestamptz not null
);
create index lesson_files_lesson_id_idx on lesson_files (lesson_id, position, id);
create index lesson_files_object_id_idx on lesson_files (object_id);

create table course_teachers (
  id uuid primary key,
  course_id uuid not null constraint course_teachers_course_id_fkey references courses (id) on delete cascade,
  user_id uuid not null constraint course_teachers_user_id_fkey references users (id) on delete cascade,
  shown_name text collate "C" not null constraint course_teachers_shown_name_check check (length(shown_name) between 1 and 100),
  may_edit boolean not null default true,
  created_at timestamptz not null,
  constraint course_teachers_course_id_user_id_key unique (course_id, user_id)
);
create index course_teachers_user_id_idx on course_teachers (user_id, course_id);
