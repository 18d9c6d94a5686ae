-- What a new row writes into an index that it is never found by. A course's waiting people have neither a workshop nor the
-- key of an address; letters to an address are found by its lower case alone.
drop index course_waitlist_waiting_idx;
create index course_waitlist_waiting_idx on course_waitlist (workshop_id, created_at, id) where spot is null and workshop_id is not null;
drop index course_waitlist_email_key_idx;
create index course_waitlist_email_key_idx on course_waitlist (user_id, email_key) where email_key is not null;
drop index outbox_recipient_idx;

-- Rows that change again and again leave room on their page for the next version: then no index has to hear of it.
alter table limits set (fillfactor = 70);
alter table sessions set (fillfactor = 80);
