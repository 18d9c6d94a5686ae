-- Letters on their way. The body is sealed, because it holds links that open accounts, and goes when it is sent.
create table outbox (
  id uuid primary key,
  kind text collate "C" not null,
  recipient text collate "C" not null,
  subject text collate "C" not null,
  body bytea,
  message_id text collate "C" not null,
  state text collate "C" not null constraint outbox_state_check check (state in ('waiting', 'sending', 'sent', 'failed')),
  attempts integer not null default 0,
  -- When to try next; for a letter that is being sent: when its sender counts as dead.
  next_at timestamptz not null,
  last_error text collate "C" not null default '',
  created_at timestamptz not null,
  sent_at timestamptz
);
create index outbox_next_at_idx on outbox (next_at, id) where state in ('waiting', 'sending');
create index outbox_created_at_idx on outbox (created_at desc, id);
create index outbox_state_idx on outbox (state, created_at desc, id);
create index outbox_recipient_idx on outbox (recipient);
