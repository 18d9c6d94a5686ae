-- A second step of signing in. The secret is sealed under the secret file's key.
create table mfa_factors (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  friendly_name text collate "C" not null,
  factor_type text collate "C" not null,
  status text collate "C" not null constraint mfa_factors_status_check check (status in ('unverified', 'verified')),
  secret bytea not null,
  last_challenged_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint mfa_factors_name_key unique (user_id, friendly_name)
);

-- A question that is answered with a code once, by the session that asked.
create table mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references mfa_factors (id) on delete cascade,
  session_id uuid not null references sessions (id) on delete cascade,
  verified_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index mfa_challenges_factor_id_idx on mfa_challenges (factor_id);
create index mfa_challenges_session_id_idx on mfa_challenges (session_id);
create index mfa_challenges_expires_at_idx on mfa_challenges (expires_at);

-- The time steps whose code was used: a code works once, on every instance.
create table mfa_used_codes (
  id uuid primary key,
  factor_id uuid not null references mfa_factors (id) on delete cascade,
  step bigint not null,
  expires_at timestamptz not null,
  constraint mfa_used_codes_step_key unique (factor_id, step)
);
create index mfa_used_codes_expires_at_idx on mfa_used_codes (expires_at);

-- The factor that made a session strong; it falls back when the factor goes.
alter table sessions add column factor_id uuid references mfa_factors (id) on delete set null;
create index sessions_factor_id_idx on sessions (factor_id);
