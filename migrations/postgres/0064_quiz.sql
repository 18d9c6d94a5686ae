-- Quizzes: lessons of questions with choices. Learners answer what is published: quiz_questions and quiz_choices, which hold the
-- key. What is being written is one document, apart from what lessons show.
create table quiz_drafts (
  lesson_id uuid primary key references lessons (id) on delete cascade,
  -- JSON, which only the program reads.
  questions text collate "C" not null default '[]',
  version integer not null default 1,
  -- The version that learners have, 0 for none.
  published_version integer not null default 0,
  drafted_at timestamptz not null
);

create table quiz_questions (
  id uuid primary key,
  lesson_id uuid not null references lessons (id) on delete cascade,
  position integer not null,
  prompt text collate "C" not null,
  explanation text collate "C" not null default '',
  -- Whether more than one choice may be picked.
  many boolean not null default false,
  created_at timestamptz not null
);
create index quiz_questions_lesson_id_idx on quiz_questions (lesson_id, position, id);

create table quiz_choices (
  id uuid primary key,
  question_id uuid not null references quiz_questions (id) on delete cascade,
  position integer not null,
  text text collate "C" not null,
  correct boolean not null,
  created_at timestamptz not null
);
create index quiz_choices_question_id_idx on quiz_choices (question_id, position, id);

-- Every try, for good. answers is JSON: the choices that were picked, by question.
create table quiz_attempts (
  id uuid primary key,
  user_id uuid not null constraint quiz_attempts_user_id_fkey references users (id) on delete cascade,
  course_id uuid not null constraint quiz_attempts_course_id_fkey references courses (id) on delete cascade,
  lesson_id uuid not null constraint quiz_attempts_lesson_id_fkey references lessons (id) on delete cascade,
  percent integer not null constraint quiz_attempts_percent_check check (percent between 0 and 100),
  passed boolean not null,
  answers text collate "C" not null,
  created_at timestamptz not null
);
create index quiz_attempts_user_id_lesson_id_idx on quiz_attempts (user_id, lesson_id, created_at, id);
create index quiz_attempts_course_id_idx on quiz_attempts (course_id, created_at, id);
create index quiz_attempts_lesson_id_idx on quiz_attempts (lesson_id);
