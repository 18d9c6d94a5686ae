-- 0 are codes and links, which somebody sits and waits for; 1 receipts and notices; 2 letters to many at once.
alter table outbox add column class integer not null default 1;
-- When the link or code in the letter ends: after that it is not sent any more.
alter table outbox add column expires_at timestamptz;

update outbox set class = 2 where kind = 'course-launched';
update outbox set class = 0, expires_at = created_at + interval '1 hour' where kind in
  ('confirm', 'reset', 'magic-link', 'invite', 'email-change-old', 'email-change-new', 'reauthenticate');

drop index outbox_next_at_idx;
create index outbox_next_at_idx on outbox (class, next_at, id) where state in ('waiting', 'sending');
