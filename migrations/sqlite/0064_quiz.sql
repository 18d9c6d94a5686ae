-- Quizzes: lessons of questions with choices. Learners answer what is published: quiz_questions and quiz_choices, which hold the
-- key. What is being written is one document, apart from what lessons show.
create table quiz_drafts (
  lesson_id text primary key references lessons (id) on delete cascade,
  -- JSON, which only the program reads.
  questions text not null default '[]',
  version integer not null default 1,
  -- The version that learners have, 0 for none.
  published_version integer not null default 0,
  drafted_at integer not null
) strict;

create table quiz_questions (
  id text primary key,
  lesson_id text not null references lessons (id) on delete cascade,
  position integer not null,
  prompt text not null,
  explanation text not null default '',
  -- Whether more than one choice may be picked.
  many integer not null default 0 check (many in (0, 1)),
  created_at integer not null
) strict;
create index quiz_questions_lesson_id_idx on quiz_questions (lesson_id, position, id);

create table quiz_choices (
  id text primary key,
  question_id text not null references quiz_questions (id) on delete cascade,
  position integer not null,
  text text not null,
  correct integer not null check (correct in (0, 1)),
  created_at integer not null
) strict;
create index quiz_choices_question_id_idx on quiz_choices (question_id, position, id);

-- Every try, for good. answers is JSON: the choices that were picked, by question.
create table quiz_attempts (
  id text primary key,
  user_id text not null constraint quiz_attempts_user_id_fkey references users (id) on delete cascade,
  course_id text not null constraint quiz_attempts_course_id_fkey references courses (id) on delete cascade,
  lesson_id text not null constraint quiz_attempts_lesson_id_fkey references lessons (id) on delete cascade,
  percent integer not null constraint quiz_attempts_percent_check check (percent between 0 and 100),
  passed integer not null check (passed in (0, 1)),
  answers text not null,
  created_at integer not null
) strict;
create index quiz_attempts_user_id_lesson_id_idx on quiz_attempts (user_id, lesson_id, created_at, id);
create index quiz_attempts_course_id_idx on quiz_attempts (course_id, created_at, id);
create index quiz_attempts_lesson_id_idx on quiz_attempts (lesson_id);
