-- A newer letter does not end an older link of its kind: a user has several of one kind at once.
alter table one_time_tokens drop constraint one_time_tokens_kind_key;
create index one_time_tokens_user_id_idx on one_time_tokens (user_id, kind, created_at);
