-- Somebody on the way to a provider and back. The state is known to their browser alone, and used once.
create table oauth_states (
  id uuid primary key,
  state_hash text collate "C" not null constraint oauth_states_state_key unique,
  provider text collate "C" not null,
  -- Sealed: the verifier and the nonce that only we and the provider may compare.
  secret bytea not null,
  redirect_to text collate "C" not null,
  challenge text collate "C" not null,
  challenge_method text collate "C" not null,
  -- Who asked to connect one more account; null for signing in.
  user_id uuid references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index oauth_states_user_id_idx on oauth_states (user_id);
create index oauth_states_expires_at_idx on oauth_states (expires_at);
