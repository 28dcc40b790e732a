-- Generations are raised by provider: audits read the keys as ids, so a key that is none would stop each audit that
-- reads the event.
alter table event
  add constraint event_raised_keys
    check (not raised @? 'strict $.keyvalue() ? (!(@.key like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"))') not valid;
comment on constraint event_raised_keys on event is 'expected generations by id of a provider';
alter table outbox
  add constraint outbox_raised_keys
    check (not raised @? 'strict $.keyvalue() ? (!(@.key like_regex "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"))') not valid;
comment on constraint outbox_raised_keys on outbox is 'expected generations by id of a provider';
