-- The first of the two confirmations of a new address, while the second is awaited.
alter table users add column email_change_confirmed_at timestamptz;

create table identities (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  provider text collate "C" not null,
  provider_id text collate "C" not null,
  identity_data text collate "C" not null,
  last_sign_in_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint identities_provider_key unique (provider, provider_id)
);
create index identities_user_id_idx on identities (user_id);

-- A session's tokens are one line of descent. Each row knows its token's hash only; what its one child is derived
-- from, besides the token itself, is child_salt.
create table refresh_tokens (
  id uuid primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  token_hash text collate "C" not null constraint refresh_tokens_hash_key unique,
  child_salt text collate "C",
  used_at timestamptz,
  created_at timestamptz not null
);
create index refresh_tokens_session_id_idx on refresh_tokens (session_id);

-- What a client keeps the verifier of: a link in a mail ends in a code, and the code in a session.
create table flow_states (
  id uuid primary key,
  user_id uuid references users (id) on delete cascade,
  method text collate "C" not null,
  challenge text collate "C" not null,
  challenge_method text collate "C" not null,
  code_hash text collate "C" constraint flow_states_code_key unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index flow_states_user_id_idx on flow_states (user_id);
create index flow_states_expires_at_idx on flow_states (expires_at);

-- One letter's link and code. A new letter of the same kind takes the place of the old one.
create table one_time_tokens (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text collate "C" not null,
  address text collate "C" not null,
  link_hash text collate "C" not null constraint one_time_tokens_link_key unique,
  code_hash text collate "C" not null,
  attempts integer not null default 0,
  flow_id uuid references flow_states (id) on delete cascade,
  created_at timestamptz not null,
  code_expires_at timestamptz not null,
  expires_at timestamptz not null,
  constraint one_time_tokens_kind_key unique (user_id, kind)
);
create index one_time_tokens_address_idx on one_time_tokens (address, kind);
create index one_time_tokens_flow_id_idx on one_time_tokens (flow_id);
create index one_time_tokens_expires_at_idx on one_time_tokens (expires_at);
