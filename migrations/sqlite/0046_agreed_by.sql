-- Which of the two mailboxes agreed to a change of address first (its letter's kind), so that the same one does not
-- agree for both. It counts while email_change_confirmed_at is set.
alter table users add column email_change_confirmed_by text check (email_change_confirmed_by in ('email_change_current', 'email_change_new'));

-- A letter that was opened ended the others of its kind: who has letters left is who has not agreed. Where that does not
-- tell, nobody has.
update users set email_change_confirmed_by = 'email_change_current' where email_change_confirmed_at is not null
  and exists (select 1 from one_time_tokens t where t.user_id = users.id and t.kind = 'email_change_new')
  and not exists (select 1 from one_time_tokens t where t.user_id = users.id and t.kind = 'email_change_current');
update users set email_change_confirmed_by = 'email_change_new' where email_change_confirmed_at is not null
  and exists (select 1 from one_time_tokens t where t.user_id = users.id and t.kind = 'email_change_current')
  and not exists (select 1 from one_time_tokens t where t.user_id = users.id and t.kind = 'email_change_new');
