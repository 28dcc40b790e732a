-- What was approved may take longer than any limit: the server that carries it out notes that it still does.
alter table proposal add column running_at timestamptz(3);
