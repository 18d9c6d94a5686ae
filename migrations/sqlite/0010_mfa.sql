-- A second step of signing in. The secret is sealed under the secret file's key.
create table mfa_factors (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  friendly_name text not null,
  factor_type text not null,
  status text not null constraint mfa_factors_status_check check (status in ('unverified', 'verified')),
  secret blob not null,
  last_challenged_at integer,
  created_at integer not null,
  updated_at integer not null,
  constraint mfa_factors_name_key unique (user_id, friendly_name)
) strict;

-- A question that is answered with a code once, by the session that asked.
create table mfa_challenges (
  id text primary key,
  factor_id text not null references mfa_factors (id) on delete cascade,
  session_id text not null references sessions (id) on delete cascade,
  verified_at integer,
  created_at integer not null,
  expires_at integer not null
) strict;
create index mfa_challenges_factor_id_idx on mfa_challenges (factor_id);
create index mfa_challenges_session_id_idx on mfa_challenges (session_id);
create index mfa_challenges_expires_at_idx on mfa_challenges (expires_at);

-- The time steps whose code was used: a code works once, on every instance.
create table mfa_used_codes (
  id text primary key,
  factor_id text not null references mfa_factors (id) on delete cascade,
  step integer not null,
  expires_at integer not null,
  constraint mfa_used_codes_step_key unique (factor_id, step)
) strict;
create index mfa_used_codes_expires_at_idx on mfa_used_codes (expires_at);

-- The factor that made a session strong; it falls back when the factor goes.
alter table sessions add column factor_id text references mfa_factors (id) on delete set null;
create index sessions_factor_id_idx on sessions (factor_id);
