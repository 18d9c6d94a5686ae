-- When a worker was last at a film of a course, so that courses take turns. Uploads lie below a folder with the id of their course.
create table video_turns (
  course text collate "C" primary key,
  served_at timestamptz not null
);
