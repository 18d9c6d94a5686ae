-- A passkey: a way to sign in by one gesture. Its public half is all that we hold; the counter tells a copy of it.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  friendly_name text collate "C" not null,
  -- Base64url, as the browser names it. One passkey is on one account.
  credential_id text collate "C" not null constraint passkeys_credential_key unique,
  public_key bytea not null,
  sign_count bigint not null,
  -- How a browser reaches it: a JSON list.
  transports text collate "C" not null,
  backup_eligible boolean not null,
  backed_up boolean not null,
  -- Where it was made, in a few words.
  device text collate "C" not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user_id_idx on passkeys (user_id);

-- A question to a passkey. Its first answer uses it up, on whatever instance.
create table passkey_challenges (
  id uuid primary key,
  kind text collate "C" not null constraint passkey_challenges_kind_check check (kind in ('create', 'request')),
  nonce text collate "C" not null,
  -- Whoever is asked to make one; who is asked to sign in is not known yet.
  session_id uuid references sessions (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index passkey_challenges_session_id_idx on passkey_challenges (session_id);
create index passkey_challenges_expires_at_idx on passkey_challenges (expires_at);

-- The passkey that opened a session; it ends with it.
alter table sessions add column passkey_id uuid references passkeys (id) on delete set null;
create index sessions_passkey_id_idx on sessions (passkey_id);
