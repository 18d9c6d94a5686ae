-- What an admin hid, only admins show again.
alter table lesson_questions add column hidden_by_admin boolean not null default false;
alter table lesson_answers add column hidden_by_admin boolean not null default false;
