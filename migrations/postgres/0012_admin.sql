-- What admins did, among all that was done with accounts: few rows between very many.
create index audit_entries_admin_idx on audit_entries (created_at desc, id desc) where action >= 'admin.' and action < 'admin/';
