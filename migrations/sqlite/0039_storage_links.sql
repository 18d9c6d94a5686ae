-- Links for one upload that were used. A row goes when its link ends.
create table storage_links (
  id text primary key,
  ends_at integer not null
) strict;
create index storage_links_ends_at_idx on storage_links (ends_at);
