-- How many bytes are stored, kept as they change: in all, and by account. The sums read every object at each upload.
alter table storage_turn add column bytes bigint not null default 0;
update storage_turn set bytes = (select coalesce(sum(size + told), 0) from storage_objects) + (select coalesce(sum(size), 0) from storage_versions);
create table storage_shares (
  owner uuid primary key references users (id) on delete cascade,
  bytes bigint not null
);
insert into storage_shares (owner, bytes)
select owner, cast(sum(bytes) as bigint) from (
  select owner, size + told as bytes from storage_objects where owner is not null
  union all select owner, size from storage_versions where owner is not null
) as held group by owner;
