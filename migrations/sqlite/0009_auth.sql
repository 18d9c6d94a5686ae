-- The first of the two confirmations of a new address, while the second is awaited.
alter table users add column email_change_confirmed_at integer;

create table identities (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data text not null,
  last_sign_in_at integer,
  created_at integer not null,
  updated_at integer not null,
  constraint identities_provider_key unique (provider, provider_id)
) strict;
create index identities_user_id_idx on identities (user_id);

-- A session's tokens are one line of descent. Each row knows its token's hash only; what its one child is derived
-- from, besides the token itself, is child_salt.
create table refresh_tokens (
  id text primary key,
  session_id text not null references sessions (id) on delete cascade,
  token_hash text not null constraint refresh_tokens_hash_key unique,
  child_salt text,
  used_at integer,
  created_at integer not null
) strict;
create index refresh_tokens_session_id_idx on refresh_tokens (session_id);

-- What a client keeps the verifier of: a link in a mail ends in a code, and the code in a session.
create table flow_states (
  id text primary key,
  user_id text references users (id) on delete cascade,
  method text not null,
  challenge text not null,
  challenge_method text not null,
  code_hash text constraint flow_states_code_key unique,
  created_at integer not null,
  expires_at integer not null
) strict;
create index flow_states_user_id_idx on flow_states (user_id);
create index flow_states_expires_at_idx on flow_states (expires_at);

-- One letter's link and code. A new letter of the same kind takes the place of the old one.
create table one_time_tokens (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  kind text not null,
  address text not null,
  link_hash text not null constraint one_time_tokens_link_key unique,
  code_hash text not null,
  attempts integer not null default 0,
  flow_id text references flow_states (id) on delete cascade,
  created_at integer not null,
  code_expires_at integer not null,
  expires_at integer not null,
  constraint one_time_tokens_kind_key unique (user_id, kind)
) strict;
create index one_time_tokens_address_idx on one_time_tokens (address, kind);
create index one_time_tokens_flow_id_idx on one_time_tokens (flow_id);
create index one_time_tokens_expires_at_idx on one_time_tokens (expires_at);
