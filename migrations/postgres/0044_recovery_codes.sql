-- The codes of a factor of type recovery_code, for whoever has lost the others. One works once.
create table mfa_recovery_codes (
  id uuid primary key,
  factor_id uuid not null references mfa_factors (id) on delete cascade,
  -- Under a key from the secret file.
  code_hash text collate "C" not null,
  used_at timestamptz,
  created_at timestamptz not null,
  constraint mfa_recovery_codes_code_key unique (factor_id, code_hash)
);
