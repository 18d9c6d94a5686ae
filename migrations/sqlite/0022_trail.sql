-- Refusals beyond the first of an hour are one entry: how often, and until when. The bucket is whose hour it counts.
alter table audit_entries add column times integer not null default 1;
alter table audit_entries add column last_at integer;
alter table audit_entries add column bucket text;
create unique index audit_entries_bucket_idx on audit_entries (bucket) where bucket is not null;

-- How many refusals of a client or an account an hour has seen.
create table audit_tallies (
  bucket text not null,
  hour_at integer not null,
  times integer not null,
  primary key (bucket, hour_at)
) strict;
create index audit_tallies_hour_at_idx on audit_tallies (hour_at);

-- What was typed into the field of the address and is none may be a password. A subject is an address alone.
update audit_entries set subject = 'no address' where action = 'session.try' and subject not like '%@%';
update audit_entries set subject = substr(subject, instr(subject, ' ') + 1)
where action in ('letter.open', 'link.generate') and subject like '% %@%';

-- Addresses that were an account's before, so that it can be forgotten whole.
create table former_addresses (
  user_id text not null references users (id) on delete cascade,
  address text not null,
  proven integer not null check (proven in (0, 1)),
  left_at integer not null,
  primary key (user_id, address)
) strict;

-- The account that a letter was written for, and whom an inquiry is from.
alter table outbox add column user_id text references users (id) on delete cascade;
alter table outbox add column reply_to text;
update outbox set user_id = (select id from users where users.email = lower(outbox.recipient))
where kind not in ('workshop-confirmed', 'workshop-waiting', 'inquiry');
create index outbox_user_id_idx on outbox (user_id);
create index outbox_reply_to_idx on outbox (reply_to) where reply_to is not null;
create index outbox_recipient_key_idx on outbox (lower(recipient));
