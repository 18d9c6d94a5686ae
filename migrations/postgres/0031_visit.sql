-- The session that asked to connect one more account; null for signing in. With it end the visit and what came of it.
delete from oauth_states where user_id is not null;
alter table oauth_states add column session_id uuid references sessions (id) on delete cascade;
create index oauth_states_session_id_idx on oauth_states (session_id);
alter table flow_states add column session_id uuid references sessions (id) on delete cascade;
create index flow_states_session_id_idx on flow_states (session_id);
