-- SQLite's alone: PostgreSQL looks through a long list fast enough. It is here so that both have the same tables.
create table sketches (
  table_name text collate "C" not null,
  begins bigint not null,
  ends bigint not null,
  parts bytea not null,
  primary key (table_name, ends)
);
