create table courses (
  id text primary key,
  title text not null,
  instructor text not null,
  duration text not null,
  category text not null,
  thumbnail text not null,
  description text not null,
  lessons integer not null constraint courses_lessons_check check (lessons >= 0),
  level text not null constraint courses_level_check check (level in ('Beginner', 'Intermediate', 'Advanced', 'All Levels')),
  rating real not null constraint courses_rating_check check (rating >= 0 and rating <= 5),
  coming_soon integer not null default 0 check (coming_soon in (0, 1)),
  launch_at integer,
  created_at integer not null,
  -- Was coming soon when it was last written; its fall is the launch.
  awaited integer not null default 0 check (awaited in (0, 1))
) strict;
create index courses_rating_idx on courses (rating desc, created_at desc, id);
create index courses_category_idx on courses (category, rating desc, created_at desc, id);
create index courses_coming_soon_idx on courses (coming_soon, rating desc, created_at desc, id);
create index courses_created_at_idx on courses (created_at desc, id);
create index courses_title_idx on courses (title, created_at);

-- A number for each thing that pages are cached by; a write raises it in its own transaction.
create table versions (
  name text primary key,
  number integer not null
) strict;
insert into versions (name, number) values ('catalog', 1);

-- Which courses each number of the catalog's version touched, so that what is held in memory catches up with a
-- change instead of reading everything again. The nil id stands for all of them. Old numbers are dropped.
create table course_changes (
  number integer not null,
  course_id text not null,
  primary key (number, course_id)
) strict;
