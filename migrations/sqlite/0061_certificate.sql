-- Certificates: what completing a course leaves behind. Each is a copy of what was true then, and outlives changes of its course.
create table certificates (
  id text primary key,
  -- Twelve characters of Crockford's base32, as XXXX-XXXX-XXXX.
  code text not null constraint certificates_code_key unique check (length(code) = 14),
  user_id text constraint certificates_user_id_fkey references users (id) on delete set null,
  course_id text constraint certificates_course_id_fkey references courses (id) on delete set null,
  holder text not null,
  course_title text not null,
  instructor text not null,
  lessons integer not null,
  seconds integer not null,
  issued_at integer not null,
  revoked_at integer,
  revoked_for text,
  created_at integer not null,
  constraint certificates_user_id_course_id_key unique (user_id, course_id)
) strict;
create index certificates_course_id_idx on certificates (course_id, issued_at, id);

-- Whether completing the course gives a certificate.
alter table course_offers add column certificate integer not null default 1 check (certificate in (0, 1));
