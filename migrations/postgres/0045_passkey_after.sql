-- Whether a letter for a forgotten password opened the session: the new password that follows takes the passkeys away.
alter table sessions add column by_recovery boolean not null default false;

-- The questions of a session as before, and those of nobody's yet by their age: the oldest give way.
drop index passkey_challenges_session_id_idx;
create index passkey_challenges_session_id_idx on passkey_challenges (session_id, expires_at, id);
