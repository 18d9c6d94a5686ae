-- A project as Supabase keeps it, cut down to the columns that matter, with the kinds of rows that a real one has.
drop schema public cascade;
create schema public;
create schema auth;
create table auth.users (
  instance_id uuid, id uuid primary key, aud text, role text, email text, encrypted_password text, email_confirmed_at timestamptz,
  raw_app_meta_data jsonb, raw_user_meta_data jsonb, created_at timestamptz, banned_until timestamptz, deleted_at timestamptz, is_anonymous boolean not null default false
);
create table auth.identities (
  provider_id text not null, user_id uuid not null, identity_data jsonb not null, provider text not null,
  last_sign_in_at timestamptz, created_at timestamptz, id uuid primary key
);
create table public.courses (
  id uuid primary key, title text not null, instructor text not null, duration text, category text, thumbnail text, description text,
  lessons integer, level text, rating numeric(2, 1), coming_soon boolean default false, created_at timestamptz not null default now()
);
create table public.saved_courses (id uuid primary key, user_id uuid not null, course_id uuid not null, created_at timestamptz default now());
create table public.course_waitlist (id uuid primary key, user_id uuid, course_title text not null, email text not null, name text, created_at timestamptz not null);
create table public.course_recommendations (
  id uuid primary key, user_id uuid not null, course_title text not null, course_description text, instructor_name text, email text not null, created_at timestamptz not null
);
create table public.user_roles (id uuid primary key, user_id uuid not null, role text not null);
create table public.elsewhere (id integer, note text);
create function public.handle_new_user() returns trigger language plpgsql as $$
begin
COPY public.user_roles (id, user_id, role) FROM stdin;
INSERT INTO public.user_roles (id, user_id, role) VALUES (new.id, new.id, 'admin');
  return new;
end $$;

insert into auth.users values
  (null, 'a0000000-0000-4000-8000-000000000001', 'authenticated', 'authenticated', 'Ada@example.com', 'HASH', '2025-03-01 10:00:00+00', '{"provider":"email"}', '{"name":"Ada \"the Countess\" Lovelace","note":"tab\tand\\n"}', '2025-02-28 09:30:15.123456+00', null, null),
  (null, 'a0000000-0000-4000-8000-000000000002', 'authenticated', 'authenticated', 'grace@example.com', '', null, '{}', '{}', '2025-03-02 10:00:00+00', '2999-01-01 00:00:00+00', null),
  (null, 'a0000000-0000-4000-8000-000000000003', 'authenticated', 'authenticated', 'gone@example.com', 'HASH', '2025-03-01 10:00:00+00', '{}', '{}', '2025-03-02 10:00:00+00', null, '2025-04-01 10:00:00+00'),
  (null, 'a0000000-0000-4000-8000-000000000004', 'authenticated', 'authenticated', null, null, null, '{}', '{}', '2025-03-02 10:00:00+00', null, null);
insert into auth.identities values
  ('a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000001', '{"sub":"a0000000-0000-4000-8000-000000000001","email":"ada@example.com"}', 'email', null, '2025-02-28 09:30:15+00', 'b0000000-0000-4000-8000-000000000001'),
  ('1234567', 'a0000000-0000-4000-8000-000000000001', '{"sub":"1234567","email":"ada@example.com","email_verified":true}', 'google', '2025-03-01 10:00:00+00', '2025-02-28 09:30:15+00', 'b0000000-0000-4000-8000-000000000002');
insert into public.courses values
  ('c0000000-0000-4000-8000-000000000001', 'It''s a Start: Storyboards', 'Ines Duarte', '6 weeks', 'Content Creation', 'https://example.com/a.jpg', E'First line.\nSecond\tline; with \\ and '');', 12, 'Beginner', 4.8, true, '2025-01-05 08:00:00+00'),
  ('c0000000-0000-4000-8000-000000000002', 'Out of Bounds', 'Ines Duarte', '6 weeks', 'Content Creation', 'https://example.com/a.jpg', 'D', 12, 'Expert', 4.8, false, '2025-01-05 08:00:00+00');
insert into public.user_roles values
  ('d0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000001', 'admin'),
  ('d0000000-0000-4000-8000-000000000002', 'a0000000-0000-4000-8000-000000000002', 'admin');
insert into public.saved_courses values
  ('e0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-000000000001', '2025-03-03 10:00:00+00'),
  ('e0000000-0000-4000-8000-000000000002', 'a0000000-0000-4000-8000-000000000003', 'c0000000-0000-4000-8000-000000000001', '2025-03-03 10:00:00+00');
insert into public.course_waitlist values
  ('f0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000001', 'It''s a Start: Storyboards', 'ada@example.com', 'Ada', '2025-03-04 10:00:00+00'),
  ('f0000000-0000-4000-8000-000000000002', null, 'Screen Acting and Professional Preparation Workshop', 'Visitor@example.com', 'Vera', '2025-03-05 10:00:00+00'),
  ('f0000000-0000-4000-8000-000000000003', null, 'A Workshop of Theirs', 'visitor@example.com', 'Vera', '2025-03-05 10:00:00+00');
insert into public.course_recommendations values
  ('90000000-0000-4000-8000-000000000001', '00000000-0000-0000-0000-000000000000', 'Hello', E'Two\nlines', 'Contact: Vera', 'visitor@example.com', '2025-03-06 10:00:00+00'),
  ('90000000-0000-4000-8000-000000000002', 'a0000000-0000-4000-8000-000000000001', 'Juggling', null, null, 'ada@example.com', '2025-03-06 11:00:00+00');
insert into public.elsewhere values (1, E'COPY public.courses (id) FROM stdin;\nINSERT INTO public.courses (id) VALUES (''x'');');
