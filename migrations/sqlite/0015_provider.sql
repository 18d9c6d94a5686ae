-- Somebody on the way to a provider and back. The state is known to their browser alone, and used once.
create table oauth_states (
  id text primary key,
  state_hash text not null constraint oauth_states_state_key unique,
  provider text not null,
  -- Sealed: the verifier and the nonce that only we and the provider may compare.
  secret blob not null,
  redirect_to text not null,
  challenge text not null,
  challenge_method text not null,
  -- Who asked to connect one more account; null for signing in.
  user_id text references users (id) on delete cascade,
  created_at integer not null,
  expires_at integer not null
) strict;
create index oauth_states_user_id_idx on oauth_states (user_id);
create index oauth_states_expires_at_idx on oauth_states (expires_at);
