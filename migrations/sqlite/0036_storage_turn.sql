-- Whoever is about to store something takes a turn here: quotas are sums, and two that add up in the same moment would both find room.
create table storage_turn (
  id text primary key check (id = 'store'),
  taken integer not null
) strict;
insert into storage_turn (id, taken) values ('store', 0);
