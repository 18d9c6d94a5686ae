-- Who did what how often. The subject is a keyed hash, and taken holds the latest moments, oldest first, each in
-- the same number of characters: one row decides, so one statement does.
create table limits (
  rule text collate "C" not null,
  subject text collate "C" not null,
  taken text collate "C" not null,
  expires_at timestamptz not null,
  primary key (rule, subject)
);
create index limits_expires_at_idx on limits (expires_at);
