-- Files that people store: buckets, and in them objects by name. The bytes lie in the data folder, by version.
create table storage_buckets (
  id text primary key,
  name text not null constraint storage_buckets_name_key unique,
  owner text references users (id) on delete set null,
  public integer not null default 0 check (public in (0, 1)),
  file_size_limit integer,
  allowed_mime_types text,
  created_at integer not null,
  updated_at integer not null
) strict;
create index storage_buckets_owner_idx on storage_buckets (owner);

create table storage_objects (
  id text primary key,
  bucket_id text not null references storage_buckets (id),
  name text not null,
  owner text references users (id) on delete set null,
  version text not null constraint storage_objects_version_key unique,
  size integer not null,
  -- SHA-256 of the bytes, in hexadecimal digits.
  hash text not null,
  -- What the sender says that it is, and what its first bytes say.
  mimetype text not null,
  sniffed text not null,
  cache_control text not null,
  metadata text,
  created_at integer not null,
  updated_at integer not null,
  constraint storage_objects_bucket_id_name_key unique (bucket_id, name)
) strict;
-- Lists that compare without case, and what an account has stored.
create index storage_objects_folded_idx on storage_objects (bucket_id, lower(name));
create index storage_objects_owner_idx on storage_objects (owner, size);

-- Bytes that belong to no object: not yet, or no more. Every file in the folder has a row here or an object.
create table storage_versions (
  version text primary key,
  state text not null check (state in ('pending', 'garbage')),
  owner text references users (id) on delete set null,
  size integer not null,
  since_at integer not null
) strict;
create index storage_versions_state_idx on storage_versions (state, since_at);
create index storage_versions_owner_idx on storage_versions (owner);

-- The folders that running instances keep their bytes in: more than one is a mistake while bytes are kept in folders.
create table storage_places (
  id text primary key,
  seen_at integer not null
) strict;

-- The buckets of the product; internal/storage/policy.go declares who may do what in them.
insert into storage_buckets (id, name, public, file_size_limit, allowed_mime_types, created_at, updated_at) values
  ('artwork', 'artwork', 1, 10485760, '["image/avif","image/gif","image/jpeg","image/png","image/webp"]', cast(unixepoch('subsec') * 1000000 as integer), cast(unixepoch('subsec') * 1000000 as integer)),
  ('lessons', 'lessons', 0, null, '["application/pdf","audio/*","text/plain","text/vtt","video/*","image/avif","image/gif","image/jpeg","image/png","image/webp"]', cast(unixepoch('subsec') * 1000000 as integer), cast(unixepoch('subsec') * 1000000 as integer));
