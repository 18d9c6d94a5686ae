-- Whether more than one password was chosen for the account before anybody opened a letter: then its letter does not
-- tell whose password it confirms.
alter table users add column several_sign_ups integer not null default 0 check (several_sign_ups in (0, 1));

-- Whether the account was made by somebody who asked for a sign-in link. Until the link is opened a sign-up takes its
-- place; an account that the operator made stays.
alter table users add column made_by_link integer not null default 0 check (made_by_link in (0, 1));
update users set made_by_link = 1
where email is not null and email_confirmed_at is null and password_hash is null and invited_at is null and recovery_sent_at is not null
  and confirmation_sent_at is null and not exists (select 1 from user_roles r where r.user_id = users.id)
  and exists (select 1 from audit_entries e where e.action = 'user.magic_link' and e.result = 'unknown' and e.subject = users.email and e.created_at = users.created_at);
