create table courses (
  id uuid primary key,
  title text collate "C" not null,
  instructor text collate "C" not null,
  duration text collate "C" not null,
  category text collate "C" not null,
  thumbnail text collate "C" not null,
  description text collate "C" not null,
  lessons integer not null constraint courses_lessons_check check (lessons >= 0),
  level text collate "C" not null constraint courses_level_check check (level in ('Beginner', 'Intermediate', 'Advanced', 'All Levels')),
  rating double precision not null constraint courses_rating_check check (rating >= 0 and rating <= 5),
  coming_soon boolean not null default false,
  launch_at timestamptz,
  created_at timestamptz not null,
  -- Was coming soon when it was last written; its fall is the launch.
  awaited boolean not null default false
);
create index courses_rating_idx on courses (rating desc, created_at desc, id);
create index courses_category_idx on courses (category, rating desc, created_at desc, id);
create index courses_coming_soon_idx on courses (coming_soon, rating desc, created_at desc, id);
create index courses_created_at_idx on courses (created_at desc, id);
create index courses_title_idx on courses (title, created_at);

-- A number for each thing that pages are cached by; a write raises it in its own transaction.
create table versions (
  name text collate "C" primary key,
  number bigint not null
);
insert into versions (name, number) values ('catalog', 1);

-- Which courses each number of the catalog's version touched, so that what is held in memory catches up with a
-- change instead of reading everything again. The nil id stands for all of them. Old numbers are dropped.
create table course_changes (
  number bigint not null,
  course_id uuid not null,
  primary key (number, course_id)
);
