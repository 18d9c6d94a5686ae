-- What a course's own page tells beyond its description; all of it may be empty. One thing to learn a line.
alter table courses add column learn text not null default '';
alter table courses add column audience text not null default '';
alter table courses add column outcome text not null default '';
alter table courses add column instructor_bio text not null default '';
-- The other courses of an instructor, best first.
create index courses_instructor_idx on courses (instructor, rating desc, created_at desc, id);
