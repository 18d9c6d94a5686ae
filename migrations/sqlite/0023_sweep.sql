-- What is swept, or forgotten with a person, is found without reading the rest.
create index refresh_tokens_used_at_idx on refresh_tokens (used_at) where used_at is not null;
create index sessions_created_at_idx on sessions (created_at);
create index sessions_refreshed_at_idx on sessions (refreshed_at);
create index course_waitlist_email_key_idx on course_waitlist (user_id, email_key);
create index course_recommendations_email_idx on course_recommendations (user_id, lower(email));
