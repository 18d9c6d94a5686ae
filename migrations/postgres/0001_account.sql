create table users (
  id uuid primary key,
  email text collate "C" unique,
  password_hash text collate "C",
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  new_email text collate "C",
  email_change_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  last_sign_in_at timestamptz,
  app_metadata text collate "C" not null,
  user_metadata text collate "C" not null,
  is_anonymous boolean not null default false,
  banned_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table user_roles (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  role text collate "C" not null constraint user_roles_role_check check (role in ('admin')),
  created_at timestamptz not null,
  constraint user_roles_user_id_role_key unique (user_id, role)
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  aal text collate "C" not null,
  amr text collate "C" not null,
  user_agent text collate "C" not null,
  address text collate "C" not null,
  created_at timestamptz not null,
  refreshed_at timestamptz not null
);
create index sessions_user_id_idx on sessions (user_id, created_at);
