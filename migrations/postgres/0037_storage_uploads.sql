-- Uploads that may be broken off and taken up again (TUS). Each has a version of its own that waits for its bytes.
create table storage_uploads (
  id uuid primary key,
  version uuid not null constraint storage_uploads_version_key unique,
  bucket_id text collate "C" not null references storage_buckets (id) on delete cascade,
  name text collate "C" not null,
  owner uuid references users (id) on delete cascade,
  upsert boolean not null default false,
  state text collate "C" not null check (state in ('open', 'done', 'gone')),
  -- How many bytes it is to have, if that was said, how many are on the disk, and where their hash has got to.
  length bigint,
  received bigint not null,
  sum text collate "C" not null,
  mimetype text collate "C" not null,
  cache_control text collate "C" not null,
  metadata text collate "C",
  -- What was said of it, as it was said.
  said text collate "C" not null,
  expires_at timestamptz not null,
  -- Who writes to it, until when that holds unless it is renewed, whether somebody else waits for it, and whether it was ever
  -- taken from somebody who had not let go.
  holder uuid,
  until_at timestamptz,
  wanted boolean not null default false,
  doubtful boolean not null default false
);
create index storage_uploads_owner_idx on storage_uploads (owner);
create index storage_uploads_bucket_id_idx on storage_uploads (bucket_id);
create index storage_uploads_expires_at_idx on storage_uploads (expires_at);
