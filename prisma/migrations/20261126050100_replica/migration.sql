-- Why the replica that a server reads from answers nothing.
alter table server_session add column replica_failure text;
