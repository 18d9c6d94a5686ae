create table saved_courses (
  id text primary key,
  user_id text not null constraint saved_courses_user_id_fkey references users (id) on delete cascade,
  course_id text not null constraint saved_courses_course_id_fkey references courses (id) on delete cascade,
  created_at integer not null,
  constraint saved_courses_user_id_course_id_key unique (user_id, course_id)
) strict;
create index saved_courses_course_id_idx on saved_courses (course_id);
create index saved_courses_user_id_created_at_idx on saved_courses (user_id, created_at desc, id);
