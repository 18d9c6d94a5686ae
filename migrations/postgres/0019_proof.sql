-- When somebody first showed that the account's present address is theirs; null while nobody has.
alter table users add column email_proven_at timestamptz;

-- What is known already: a letter was opened, a provider has verified the same address, or the operator vouched for it.
update users set email_proven_at = email_confirmed_at
where email is not null and email_confirmed_at is not null and (
  exists (select 1 from audit_entries e where e.actor_id = users.id and e.action = 'letter.open' and e.result = 'ok')
  or exists (select 1 from identities i where i.user_id = users.id and i.provider <> 'email'
    and strpos(i.identity_data, '"email":"' || users.email || '"') > 0 and strpos(i.identity_data, '"email_verified":true') > 0)
  or exists (select 1 from audit_entries e where e.actor_id = users.id and e.action = 'user.import')
  or exists (select 1 from audit_entries e where e.action = 'user.create' and e.subject = users.email and e.created_at = users.created_at)
);

-- The last sign-up for an address that a letter has to confirm, whether the address is taken or free. Its password
-- belongs to nobody until the letter is opened.
create table sign_ups (
  id uuid primary key,
  address text collate "C" not null constraint sign_ups_address_key unique,
  password_hash text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_ups_expires_at_idx on sign_ups (expires_at);

-- Passwords that wait for their letter move there; what the operator set stays.
insert into sign_ups (id, address, password_hash, created_at, expires_at)
select u.id, u.email, u.password_hash, u.created_at, coalesce(u.confirmation_sent_at, u.created_at) + interval '7 days'
from users u where u.email is not null and u.password_hash is not null and u.email_confirmed_at is null
  and not exists (select 1 from audit_entries e where e.action = 'user.create' and e.subject = u.email and e.created_at = u.created_at);
update users set password_hash = null where id in (select id from sign_ups);
