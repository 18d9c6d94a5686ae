create table users (
  id text primary key,
  email text unique,
  password_hash text,
  email_confirmed_at integer,
  invited_at integer,
  confirmation_sent_at integer,
  recovery_sent_at integer,
  new_email text,
  email_change_sent_at integer,
  reauthentication_sent_at integer,
  last_sign_in_at integer,
  app_metadata text not null,
  user_metadata text not null,
  is_anonymous integer not null default 0 check (is_anonymous in (0, 1)),
  banned_until integer,
  created_at integer not null,
  updated_at integer not null
) strict;

create table user_roles (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  role text not null constraint user_roles_role_check check (role in ('admin')),
  created_at integer not null,
  constraint user_roles_user_id_role_key unique (user_id, role)
) strict;

create table sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  aal text not null,
  amr text not null,
  user_agent text not null,
  address text not null,
  created_at integer not null,
  refreshed_at integer not null
) strict;
create index sessions_user_id_idx on sessions (user_id, created_at);
