-- What was done with accounts, and what was tried. Rows outlive the account that they speak of.
create table audit_entries (
  id uuid primary key,
  actor_id uuid,
  action text collate "C" not null,
  subject text collate "C" not null,
  address text collate "C" not null,
  user_agent text collate "C" not null,
  result text collate "C" not null,
  created_at timestamptz not null
);
create index audit_entries_created_at_idx on audit_entries (created_at desc, id desc);
create index audit_entries_actor_id_idx on audit_entries (actor_id, created_at desc);
create index audit_entries_subject_idx on audit_entries (subject, created_at desc);
