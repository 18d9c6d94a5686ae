-- What learners write at a lesson: notes for themselves, questions, and answers to them.

-- at_seconds is the moment of the video; null is the lesson as a whole.
create table lesson_notes (
  id uuid primary key,
  user_id uuid not null constraint lesson_notes_user_id_fkey references users (id) on delete cascade,
  course_id uuid not null constraint lesson_notes_course_id_fkey references courses (id) on delete cascade,
  lesson_id uuid not null constraint lesson_notes_lesson_id_fkey references lessons (id) on delete cascade,
  at_seconds integer constraint lesson_notes_at_seconds_check check (at_seconds between 0 and 86400),
  text text collate "C" not null constraint lesson_notes_text_check check (length(text) between 1 and 5000),
  updated_at timestamptz not null,
  created_at timestamptz not null
);
create index lesson_notes_user_id_idx on lesson_notes (user_id, course_id, lesson_id, at_seconds);
create index lesson_notes_course_id_idx on lesson_notes (course_id);
create index lesson_notes_lesson_id_idx on lesson_notes (lesson_id);

-- Who has left is nobody (user_id null). answers are those that everybody sees; answered is a question that has one of a teacher,
-- or an accepted one. told_at is when the teachers were told of it, answers_told_at when its asker was last told of answers.
create table lesson_questions (
  id uuid primary key,
  user_id uuid constraint lesson_questions_user_id_fkey references users (id) on delete cascade,
  author_name text collate "C" not null,
  course_id uuid not null constraint lesson_questions_course_id_fkey references courses (id) on delete cascade,
  lesson_id uuid not null constraint lesson_questions_lesson_id_fkey references lessons (id) on delete cascade,
  at_seconds integer constraint lesson_questions_at_seconds_check check (at_seconds between 0 and 86400),
  title text collate "C" not null constraint lesson_questions_title_check check (length(title) between 1 and 150),
  text text collate "C" not null default '' constraint lesson_questions_text_check check (length(text) <= 5000),
  answers integer not null default 0,
  answered boolean not null default false,
  pinned boolean not null default false,
  hidden_at timestamptz,
  hidden_for text collate "C",
  told_at timestamptz,
  answers_told_at timestamptz,
  created_at timestamptz not null
);
create index lesson_questions_lesson_id_idx on lesson_questions (lesson_id, created_at desc);
create index lesson_questions_course_id_idx on lesson_questions (course_id, answered, created_at, id);
create index lesson_questions_user_id_idx on lesson_questions (user_id);
create index lesson_questions_untold_idx on lesson_questions (course_id, id) where told_at is null;

create table lesson_answers (
  id uuid primary key,
  question_id uuid not null constraint lesson_answers_question_id_fkey references lesson_questions (id) on delete cascade,
  user_id uuid constraint lesson_answers_user_id_fkey references users (id) on delete cascade,
  author_name text collate "C" not null,
  course_id uuid not null constraint lesson_answers_course_id_fkey references courses (id) on delete cascade,
  text text collate "C" not null constraint lesson_answers_text_check check (length(text) between 1 and 5000),
  by_teacher boolean not null default false,
  accepted boolean not null default false,
  hidden_at timestamptz,
  hidden_for text collate "C",
  told_at timestamptz,
  created_at timestamptz not null
);
create index lesson_answers_question_id_idx on lesson_answers (question_id, created_at);
create index lesson_answers_course_id_idx on lesson_answers (course_id);
create index lesson_answers_user_id_idx on lesson_answers (user_id);
create index lesson_answers_untold_idx on lesson_answers (question_id, id) where told_at is null;

-- That somebody found a question or an answer out of place; the other of the two is null.
create table post_reports (
  id uuid primary key,
  question_id uuid references lesson_questions (id) on delete cascade,
  answer_id uuid references lesson_answers (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  reason text collate "C" not null check (length(reason) <= 500),
  created_at timestamptz not null,
  constraint post_reports_question_id_user_id_key unique (question_id, user_id),
  constraint post_reports_answer_id_user_id_key unique (answer_id, user_id)
);
create index post_reports_user_id_idx on post_reports (user_id);

-- When the teachers of a course were last told of new questions.
create table question_digests (
  course_id uuid primary key references courses (id) on delete cascade,
  sent_at timestamptz not null
);
