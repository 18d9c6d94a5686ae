-- A newer letter does not end an older link of its kind: a user has several of one kind at once. SQLite cannot drop a
-- constraint, so the table is made anew; nothing refers to it.
create table one_time_tokens_next (
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
  expires_at integer not null
) strict;
insert into one_time_tokens_next (id, user_id, kind, address, link_hash, code_hash, attempts, flow_id, created_at, code_expires_at, expires_at)
  select id, user_id, kind, address, link_hash, code_hash, attempts, flow_id, created_at, code_expires_at, expires_at from one_time_tokens;
drop table one_time_tokens;
alter table one_time_tokens_next rename to one_time_tokens;
create index one_time_tokens_address_idx on one_time_tokens (address, kind);
create index one_time_tokens_flow_id_idx on one_time_tokens (flow_id);
create index one_time_tokens_expires_at_idx on one_time_tokens (expires_at);
create index one_time_tokens_user_id_idx on one_time_tokens (user_id, kind, created_at);
