-- An approval and what it approves are two transactions. Earlier ones count as carried out.
alter table proposal add column done_at timestamptz(3);
update proposal set done_at = decided_at where state = 'approved';
