create table course_recommendations (
  id uuid primary key,
  user_id uuid not null,
  course_title text collate "C" not null,
  course_description text collate "C",
  instructor_name text collate "C",
  email text collate "C" not null,
  created_at timestamptz not null,
  kind text collate "C" not null constraint course_recommendations_kind_check check (kind in ('recommendation', 'help', 'contact', 'investor', 'sponsorship'))
);
create index course_recommendations_created_at_idx on course_recommendations (created_at desc, id);
create index course_recommendations_kind_idx on course_recommendations (kind, created_at desc, id);
create index course_recommendations_user_id_idx on course_recommendations (user_id);
