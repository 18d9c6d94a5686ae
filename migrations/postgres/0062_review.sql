-- What learners say of a course. One of each person; who has left the place may leave theirs behind without a name.
create table course_reviews (
  id uuid primary key,
  user_id uuid constraint course_reviews_user_id_fkey references users (id) on delete cascade,
  course_id uuid not null constraint course_reviews_course_id_fkey references courses (id) on delete cascade,
  -- What the person was called when they wrote it.
  author_name text collate "C" not null,
  stars integer not null constraint course_reviews_stars_check check (stars between 1 and 5),
  text text collate "C" not null default '' constraint course_reviews_text_check check (length(text) <= 2000),
  state text collate "C" not null default 'published' constraint course_reviews_state_check check (state in ('published', 'hidden')),
  hidden_for text collate "C",
  reply text collate "C",
  replied_by uuid constraint course_reviews_replied_by_fkey references users (id) on delete set null,
  replied_at timestamptz,
  updated_at timestamptz not null,
  created_at timestamptz not null,
  constraint course_reviews_user_id_course_id_key unique (user_id, course_id)
);
create index course_reviews_course_id_created_at_idx on course_reviews (course_id, created_at desc, id);
-- The stars of a course are counted in this one alone.
create index course_reviews_course_id_state_stars_idx on course_reviews (course_id, state, stars);
create index course_reviews_replied_by_idx on course_reviews (replied_by);

-- Who asks admins to look at a review, and why.
create table review_reports (
  id uuid primary key,
  review_id uuid not null references course_reviews (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  reason text collate "C" not null check (length(reason) between 1 and 500),
  created_at timestamptz not null,
  constraint review_reports_review_id_user_id_key unique (review_id, user_id)
);
create index review_reports_user_id_idx on review_reports (user_id);
create index review_reports_created_at_idx on review_reports (created_at);

-- The published reviews of a course, how many stars they gave together, and how many of them gave each number of stars.
alter table course_offers add column reviews integer not null default 0;
alter table course_offers add column rating_sum integer not null default 0;
alter table course_offers add column stars1 integer not null default 0;
alter table course_offers add column stars2 integer not null default 0;
alter table course_offers add column stars3 integer not null default 0;
alter table course_offers add column stars4 integer not null default 0;
alter table course_offers add column stars5 integer not null default 0;
-- What the editors say, while courses.rating is what the learners say; null while it is theirs.
alter table course_offers add column editorial_rating double precision;
