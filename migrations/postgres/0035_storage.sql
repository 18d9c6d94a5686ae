-- Files that people store: buckets, and in them objects by name. The bytes lie in the data folder, by version.
create table storage_buckets (
  id text collate "C" primary key,
  name text collate "C" not null constraint storage_buckets_name_key unique,
  owner uuid references users (id) on delete set null,
  public boolean not null default false,
  file_size_limit bigint,
  allowed_mime_types text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index storage_buckets_owner_idx on storage_buckets (owner);

create table storage_objects (
  id uuid primary key,
  bucket_id text collate "C" not null references storage_buckets (id),
  name text collate "C" not null,
  owner uuid references users (id) on delete set null,
  version uuid not null constraint storage_objects_version_key unique,
  size bigint not null,
  -- SHA-256 of the bytes, in hexadecimal digits.
  hash text collate "C" not null,
  -- What the sender says that it is, and what its first bytes say.
  mimetype text collate "C" not null,
  sniffed text collate "C" not null,
  cache_control text collate "C" not null,
  metadata text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint storage_objects_bucket_id_name_key unique (bucket_id, name)
);
-- Lists that compare without case, and what an account has stored.
create index storage_objects_folded_idx on storage_objects (bucket_id, lower(name));
create index storage_objects_owner_idx on storage_objects (owner, size);

-- Bytes that belong to no object: not yet, or no more. Every file in the folder has a row here or an object.
create table storage_versions (
  version uuid primary key,
  state text collate "C" not null check (state in ('pending', 'garbage')),
  owner uuid references users (id) on delete set null,
  size bigint not null,
  since_at timestamptz not null
);
create index storage_versions_state_idx on storage_versions (state, since_at);
create index storage_versions_owner_idx on storage_versions (owner);

-- The folders that running instances keep their bytes in: more than one is a mistake while bytes are kept in folders.
create table storage_places (
  id uuid primary key,
  seen_at timestamptz not null
);

-- The buckets of the product; internal/storage/policy.go declares who may do what in them.
insert into storage_buckets (id, name, public, file_size_limit, allowed_mime_types, created_at, updated_at) values
  ('artwork', 'artwork', true, 10485760, '["image/avif","image/gif","image/jpeg","image/png","image/webp"]', now(), now()),
  ('lessons', 'lessons', false, null, '["application/pdf","audio/*","text/plain","text/vtt","video/*","image/avif","image/gif","image/jpeg","image/png","image/webp"]', now(), now());
