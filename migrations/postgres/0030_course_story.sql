-- What a course's own page tells beyond its description; all of it may be empty. One thing to learn a line.
alter table courses add column learn text collate "C" not null default '';
alter table courses add column audience text collate "C" not null default '';
alter table courses add column outcome text collate "C" not null default '';
alter table courses add column instructor_bio text collate "C" not null default '';
-- The other courses of an instructor, best first.
create index courses_instructor_idx on courses (instructor, rating desc, created_at desc, id);
