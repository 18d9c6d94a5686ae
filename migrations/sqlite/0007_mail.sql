-- Letters on their way. The body is sealed, because it holds links that open accounts, and goes when it is sent.
create table outbox (
  id text primary key,
  kind text not null,
  recipient text not null,
  subject text not null,
  body blob,
  message_id text not null,
  state text not null constraint outbox_state_check check (state in ('waiting', 'sending', 'sent', 'failed')),
  attempts integer not null default 0,
  -- When to try next; for a letter that is being sent: when its sender counts as dead.
  next_at integer not null,
  last_error text not null default '',
  created_at integer not null,
  sent_at integer
) strict;
create index outbox_next_at_idx on outbox (next_at, id) where state in ('waiting', 'sending');
create index outbox_created_at_idx on outbox (created_at desc, id);
create index outbox_state_idx on outbox (state, created_at desc, id);
create index outbox_recipient_idx on outbox (recipient);
