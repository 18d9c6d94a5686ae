-- The picture that a video shows before it plays, where somebody chose one: a stored object. Without it, it is a frame.
alter table videos add column poster_id text constraint videos_poster_id_fkey references storage_objects (id) on delete set null;
create index videos_poster_id_idx on videos (poster_id);
