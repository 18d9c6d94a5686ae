create table course_recommendations (
  id text primary key,
  user_id text not null,
  course_title text not null,
  course_description text,
  instructor_name text,
  email text not null,
  created_at integer not null,
  kind text not null constraint course_recommendations_kind_check check (kind in ('recommendation', 'help', 'contact', 'investor', 'sponsorship'))
) strict;
create index course_recommendations_created_at_idx on course_recommendations (created_at desc, id);
create index course_recommendations_kind_idx on course_recommendations (kind, created_at desc, id);
create index course_recommendations_user_id_idx on course_recommendations (user_id);
