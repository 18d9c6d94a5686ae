-- Guests are users without a name; those whose sessions are over are swept.
create index users_guest_idx on users (created_at) where is_anonymous;
