-- Keys that sign tokens, and other secrets, sealed with the secret file.
create table signing_keys (
  id uuid primary key,
  sealed bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);

create table secrets (
  name text collate "C" primary key,
  sealed bytea not null,
  created_at timestamptz not null
);
