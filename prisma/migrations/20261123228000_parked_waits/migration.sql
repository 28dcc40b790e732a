-- A parked migration waits for a repair of the records. The check of before refused the row, so nothing could be parked.
alter table migration
  drop constraint migration_waiting_shape,
  add constraint migration_waiting_shape check (waiting @? 'strict $ ? (@.type() == "object" && (@.for == "slot" || @.for == "host" || @.for == "person" || @.for == "retry" || @.for == "repair"))') not valid;
comment on constraint migration_waiting_shape on migration is 'expected what it waits for: slot, host, person, retry or repair';
