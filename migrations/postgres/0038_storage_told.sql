-- How many bytes a sender's own words about an object have: they count like its bytes. The sums are read from the index alone.
alter table storage_objects add column told bigint not null default 0;
update storage_objects set told = octet_length(metadata) where metadata is not null;
drop index storage_objects_owner_idx;
create index storage_objects_owner_idx on storage_objects (owner, size, told);
