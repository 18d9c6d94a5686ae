-- What the place of the bytes has to remember of an upload between two pieces.
alter table storage_uploads add column mark text not null default '';
