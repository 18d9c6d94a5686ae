-- The provider's own tokens, sealed, until the client trades its code for them.
alter table flow_states add column secret bytea;
