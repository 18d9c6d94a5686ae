-- Lists without reading every row: by name without case, where a folder stands among files by its name without the slash (a tab, which no
-- name has, is in the slash's place), and by time.
drop index storage_objects_folded_idx;
create index storage_objects_folded_idx on storage_objects (bucket_id, lower(replace(name, '/', '	')), name);
create index storage_objects_created_at_idx on storage_objects (bucket_id, created_at, name);
create index storage_objects_updated_at_idx on storage_objects (bucket_id, updated_at, name);
