-- Videos: an upload, what was found in it, and the files that were made of it. An upload that was replaced is another video.
create table videos (
  id uuid primary key,
  -- The stored object and its version at that moment. Objects go their own way; the sweeper follows them.
  object_id uuid not null,
  version uuid not null constraint videos_version_key unique,
  state text collate "C" not null check (state in ('waiting', 'playable', 'ready', 'refused')),
  -- What the probe found, as JSON, and in a sentence why it was refused.
  facts text collate "C",
  problem text collate "C" not null default '',
  created_at timestamptz not null
);
create index videos_object_idx on videos (object_id, created_at);

-- What was made of a video. The bytes lie where stored objects do, by version; a role is there once.
create table video_files (
  version uuid primary key,
  video_id uuid not null references videos (id),
  role text collate "C" not null,
  mimetype text collate "C" not null,
  size bigint not null,
  hash text collate "C" not null,
  about text collate "C" not null default '',
  created_at timestamptz not null,
  constraint video_files_video_id_role_key unique (video_id, role)
);

-- The work that is to be done. While it is being done, due_at is the end of the lease and claim names who has it.
create table video_jobs (
  id uuid primary key,
  video_id uuid not null constraint video_jobs_video_id_key unique references videos (id) on delete cascade,
  state text collate "C" not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  priority integer not null default 0,
  due_at timestamptz not null,
  claim uuid,
  attempts integer not null default 0,
  progress integer not null default 0,
  -- A sentence for people, and what the tools said, for admins.
  error text collate "C" not null default '',
  detail text collate "C" not null default '',
  created_at timestamptz not null,
  ended_at timestamptz
);
create index video_jobs_due_idx on video_jobs (state, due_at);
create index video_jobs_created_idx on video_jobs (created_at, id);
