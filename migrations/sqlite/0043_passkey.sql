-- A passkey: a way to sign in by one gesture. Its public half is all that we hold; the counter tells a copy of it.
create table passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  friendly_name text not null,
  -- Base64url, as the browser names it. One passkey is on one account.
  credential_id text not null constraint passkeys_credential_key unique,
  public_key blob not null,
  sign_count integer not null,
  -- How a browser reaches it: a JSON list.
  transports text not null,
  backup_eligible integer not null check (backup_eligible in (0, 1)),
  backed_up integer not null check (backed_up in (0, 1)),
  -- Where it was made, in a few words.
  device text not null,
  created_at integer not null,
  last_used_at integer
) strict;
create index passkeys_user_id_idx on passkeys (user_id);

-- A question to a passkey. Its first answer uses it up, on whatever instance.
create table passkey_challenges (
  id text primary key,
  kind text not null constraint passkey_challenges_kind_check check (kind in ('create', 'request')),
  nonce text not null,
  -- Whoever is asked to make one; who is asked to sign in is not known yet.
  session_id text references sessions (id) on delete cascade,
  created_at integer not null,
  expires_at integer not null
) strict;
create index passkey_challenges_session_id_idx on passkey_challenges (session_id);
create index passkey_challenges_expires_at_idx on passkey_challenges (expires_at);

-- The passkey that opened a session; it ends with it.
alter table sessions add column passkey_id text references passkeys (id) on delete set null;
create index sessions_passkey_id_idx on sessions (passkey_id);
