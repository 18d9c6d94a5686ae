-- What a course teaches: its sections and lessons, what a lesson holds, who teaches it, and on which terms it is open.

-- The terms of a course that has something to take. published_at is when its first lesson came out; it is null again while
-- there is none. lessons and seconds are those of the published lessons.
create table course_offers (
  id text primary key,
  course_id text not null constraint course_offers_course_id_key unique constraint course_offers_course_id_fkey references courses (id) on delete cascade,
  -- 0 is free, null is not for sale.
  price_cents integer default 0 constraint course_offers_price_cents_check check (price_cents between 0 and 10000000),
  open integer not null default 1 check (open in (0, 1)),
  strict integer not null default 0 check (strict in (0, 1)),
  lessons integer not null default 0,
  seconds integer not null default 0,
  -- The video that anybody may watch on the course's page.
  trailer_id text constraint course_offers_trailer_id_fkey references videos (id) on delete set null,
  published_at integer,
  created_at integer not null
) strict;
create index course_offers_trailer_id_idx on course_offers (trailer_id);

create table course_sections (
  id text primary key,
  course_id text not null constraint course_sections_course_id_fkey references courses (id) on delete cascade,
  title text not null constraint course_sections_title_check check (length(title) between 1 and 120),
  position integer not null,
  created_at integer not null
) strict;
create index course_sections_course_id_position_idx on course_sections (course_id, position, id);

create table lessons (
  id text primary key,
  course_id text not null constraint lessons_course_id_fkey references courses (id) on delete cascade,
  section_id text not null constraint lessons_section_id_fkey references course_sections (id),
  title text not null constraint lessons_title_check check (length(title) between 1 and 150),
  kind text not null constraint lessons_kind_check check (kind in ('text', 'video', 'quiz')),
  -- Counts through the whole course, section after section.
  position integer not null,
  state text not null default 'draft' constraint lessons_state_check check (state in ('draft', 'published')),
  preview integer not null default 0 check (preview in (0, 1)),
  -- It opens so many days after somebody enrolled, or at this moment, which wins.
  release_days integer constraint lessons_release_days_check check (release_days between 0 and 3650),
  release_at integer,
  seconds integer not null default 0,
  version integer not null default 1,
  created_at integer not null
) strict;
create index lessons_course_id_position_idx on lessons (course_id, position, id);
create index lessons_section_id_idx on lessons (section_id, position);

-- What a lesson holds. Learners get body; draft_body is what is being written, and draft_version counts its changes.
create table lesson_contents (
  lesson_id text primary key references lessons (id) on delete cascade,
  body text not null default '',
  draft_body text not null default '',
  draft_version integer not null default 1,
  drafted_at integer not null,
  video_id text references videos (id) on delete set null
) strict;
create index lesson_contents_video_id_idx on lesson_contents (video_id);

-- Files that come with a lesson: stored objects, under the name that learners see.
create table lesson_files (
  id text primary key,
  lesson_id text not null references lessons (id) on delete cascade,
  object_id text not null references storage_objects (id) on delete cascade,
  name text not null check (length(name) between 1 and 200),
  position integer not null,
  created_at integer not null
) strict;
create index lesson_files_lesson_id_idx on lesson_files (lesson_id, position, id);
create index lesson_files_object_id_idx on lesson_files (object_id);

create table course_teachers (
  id text primary key,
  course_id text not null constraint course_teachers_course_id_fkey references courses (id) on delete cascade,
  user_id text not null constraint course_teachers_user_id_fkey references users (id) on delete cascade,
  shown_name text not null constraint course_teachers_shown_name_check check (length(shown_name) between 1 and 100),
  may_edit integer not null default 1 check (may_edit in (0, 1)),
  created_at integer not null,
  constraint course_teachers_course_id_user_id_key unique (course_id, user_id)
) strict;
create index course_teachers_user_id_idx on course_teachers (user_id, course_id);
