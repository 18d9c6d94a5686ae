-- The security key of a factor. Its public half is all that we hold; the counter tells a copy of the key.
create table mfa_credentials (
  id text primary key,
  factor_id text not null constraint mfa_credentials_factor_key unique references mfa_factors (id) on delete cascade,
  -- Base64url, as the browser names it. One key is on one account.
  credential_id text not null constraint mfa_credentials_credential_key unique,
  public_key blob not null,
  sign_count integer not null,
  -- How a browser reaches it: a JSON list.
  transports text not null,
  backup_eligible integer not null check (backup_eligible in (0, 1)),
  backed_up integer not null check (backed_up in (0, 1)),
  created_at integer not null,
  last_used_at integer not null
) strict;

-- What a security key has to sign; codes need none.
alter table mfa_challenges add column nonce text;
