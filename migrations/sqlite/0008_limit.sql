-- Who did what how often. The subject is a keyed hash, and taken holds the latest moments, oldest first, each in
-- the same number of characters: one row decides, so one statement does.
create table limits (
  rule text not null,
  subject text not null,
  taken text not null,
  expires_at integer not null,
  primary key (rule, subject)
) strict;
create index limits_expires_at_idx on limits (expires_at);
