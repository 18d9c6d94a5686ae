-- How long emails wait is told by the oldest of each class, whenever it is tried next.
create index outbox_oldest_idx on outbox (class, created_at) where state in ('waiting', 'sending');
