-- What an admin hid, only admins show again.
alter table lesson_questions add column hidden_by_admin integer not null default 0 check (hidden_by_admin in (0, 1));
alter table lesson_answers add column hidden_by_admin integer not null default 0 check (hidden_by_admin in (0, 1));
