-- Uploads that may be broken off and taken up again (TUS). Each has a version of its own that waits for its bytes.
create table storage_uploads (
  id text primary key,
  version text not null constraint storage_uploads_version_key unique,
  bucket_id text not null references storage_buckets (id) on delete cascade,
  name text not null,
  owner text references users (id) on delete cascade,
  upsert integer not null default 0 check (upsert in (0, 1)),
  state text not null check (state in ('open', 'done', 'gone')),
  -- How many bytes it is to have, if that was said, how many are on the disk, and where their hash has got to.
  length integer,
  received integer not null,
  sum text not null,
  mimetype text not null,
  cache_control text not null,
  metadata text,
  -- What was said of it, as it was said.
  said text not null,
  expires_at integer not null,
  -- Who writes to it, until when that holds unless it is renewed, whether somebody else waits for it, and whether it was ever
  -- taken from somebody who had not let go.
  holder text,
  until_at integer,
  wanted integer not null default 0 check (wanted in (0, 1)),
  doubtful integer not null default 0 check (doubtful in (0, 1))
) strict;
create index storage_uploads_owner_idx on storage_uploads (owner);
create index storage_uploads_bucket_id_idx on storage_uploads (bucket_id);
create index storage_uploads_expires_at_idx on storage_uploads (expires_at);
