-- What was done with accounts, and what was tried. Rows outlive the account that they speak of.
create table audit_entries (
  id text primary key,
  actor_id text,
  action text not null,
  subject text not null,
  address text not null,
  user_agent text not null,
  result text not null,
  created_at integer not null
) strict;
create index audit_entries_created_at_idx on audit_entries (created_at desc, id desc);
create index audit_entries_actor_id_idx on audit_entries (actor_id, created_at desc);
create index audit_entries_subject_idx on audit_entries (subject, created_at desc);
