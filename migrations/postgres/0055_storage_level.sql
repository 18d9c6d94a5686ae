-- Lists of one folder by time: what stands in it is found by its folder, which is the name up to its last slash.
create index storage_objects_level_created_idx on storage_objects (bucket_id, rtrim(name, replace(name, '/', '')), created_at, name);
create index storage_objects_level_updated_idx on storage_objects (bucket_id, rtrim(name, replace(name, '/', '')), updated_at, name);
