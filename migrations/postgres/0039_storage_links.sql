-- Links for one upload that were used. A row goes when its link ends.
create table storage_links (
  id uuid primary key,
  ends_at timestamptz not null
);
create index storage_links_ends_at_idx on storage_links (ends_at);
