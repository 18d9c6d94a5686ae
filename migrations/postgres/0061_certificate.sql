-- Certificates: what completing a course leaves behind. Each is a copy of what was true then, and outlives changes of its course.
create table certificates (
  id uuid primary key,
  -- Twelve characters of Crockford's base32, as XXXX-XXXX-XXXX.
  code text collate "C" not null constraint certificates_code_key unique check (length(code) = 14),
  user_id uuid constraint certificates_user_id_fkey references users (id) on delete set null,
  course_id uuid constraint certificates_course_id_fkey references courses (id) on delete set null,
  holder text collate "C" not null,
  course_title text collate "C" not null,
  instructor text collate "C" not null,
  lessons integer not null,
  seconds integer not null,
  issued_at timestamptz not null,
  revoked_at timestamptz,
  revoked_for text collate "C",
  created_at timestamptz not null,
  constraint certificates_user_id_course_id_key unique (user_id, course_id)
);
create index certificates_course_id_idx on certificates (course_id, issued_at, id);

-- Whether completing the course gives a certificate.
alter table course_offers add column certificate boolean not null default true;
