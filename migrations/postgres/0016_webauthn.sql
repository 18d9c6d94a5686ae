-- The security key of a factor. Its public half is all that we hold; the counter tells a copy of the key.
create table mfa_credentials (
  id uuid primary key,
  factor_id uuid not null constraint mfa_credentials_factor_key unique references mfa_factors (id) on delete cascade,
  -- Base64url, as the browser names it. One key is on one account.
  credential_id text collate "C" not null constraint mfa_credentials_credential_key unique,
  public_key bytea not null,
  sign_count bigint not null,
  -- How a browser reaches it: a JSON list.
  transports text collate "C" not null,
  backup_eligible boolean not null,
  backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);

-- What a security key has to sign; codes need none.
alter table mfa_challenges add column nonce text collate "C";
