-- Keys that sign tokens, and other secrets, sealed with the secret file.
create table signing_keys (
  id text primary key,
  sealed blob not null,
  created_at integer not null,
  retired_at integer
) strict;

create table secrets (
  name text primary key,
  sealed blob not null,
  created_at integer not null
) strict;
