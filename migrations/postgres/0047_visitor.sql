-- Links by which somebody without an account gets a copy of what is stored under their address, or has it erased.
create table visitor_links (
  id uuid primary key,
  address text collate "C" not null,
  link_hash text collate "C" not null constraint visitor_links_link_key unique,
  exported_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index visitor_links_address_idx on visitor_links (address);
create index visitor_links_expires_at_idx on visitor_links (expires_at);

-- Registrations for workshops, by age: they may be kept for a time only.
create index course_waitlist_visitor_idx on course_waitlist (created_at) where user_id is null;
