-- What three-letter parts stand in the texts of so many rows that follow each other in time, for searches in long lists.
-- A change of a row drops the sketch of its time; a row without a sketch is looked at. Nothing here names a person.
create table sketches (
  table_name text not null,
  -- Microseconds since 1970: of rows after the first moment and up to the last.
  begins integer not null,
  ends integer not null,
  parts blob not null,
  primary key (table_name, ends)
) strict;

create trigger course_waitlist_sketch_insert after insert on course_waitlist begin
  delete from sketches where table_name = 'course_waitlist' and ends >= new.created_at and begins < new.created_at;
end;
create trigger course_waitlist_sketch_update after update of course_title, email, name, created_at on course_waitlist begin
  delete from sketches where table_name = 'course_waitlist' and ends >= old.created_at and begins < old.created_at;
  delete from sketches where table_name = 'course_waitlist' and ends >= new.created_at and begins < new.created_at;
end;
create trigger course_waitlist_sketch_delete after delete on course_waitlist begin
  delete from sketches where table_name = 'course_waitlist' and ends >= old.created_at and begins < old.created_at;
end;

create trigger course_recommendations_sketch_insert after insert on course_recommendations begin
  delete from sketches where table_name = 'course_recommendations' and ends >= new.created_at and begins < new.created_at;
end;
create trigger course_recommendations_sketch_update after update of course_title, course_description, instructor_name, email, created_at on course_recommendations begin
  delete from sketches where table_name = 'course_recommendations' and ends >= old.created_at and begins < old.created_at;
  delete from sketches where table_name = 'course_recommendations' and ends >= new.created_at and begins < new.created_at;
end;
create trigger course_recommendations_sketch_delete after delete on course_recommendations begin
  delete from sketches where table_name = 'course_recommendations' and ends >= old.created_at and begins < old.created_at;
end;
