-- Emails about lessons that opened. Who is due may have something to hear of; what it is follows from the schedule when it is written.
create table lesson_news (
  user_id uuid primary key references users (id) on delete cascade,
  -- What opened up to this moment has been told, or was never to be.
  until_at timestamptz not null,
  -- The last email, of which there is one a day at most.
  told_at timestamptz,
  due_at timestamptz
);
create index lesson_news_due_at_idx on lesson_news (due_at);

-- One row: up to when schedules were looked at.
create table lesson_news_watch (
  name text collate "C" primary key check (name = 'lessons'),
  until_at timestamptz not null
);

-- Who wants no more emails of a list.
create table lists_left (
  user_id uuid not null references users (id) on delete cascade,
  list text collate "C" not null,
  created_at timestamptz not null,
  primary key (user_id, list)
);
