-- How a host accounts for memory. Hosts that are over-committed by the exact accounting keep what they hold: it is a
-- finding, and they take no more until it is gone.
alter table "host" add column "memory" text not null default 'exact';
alter table "host" add constraint host_memory check (memory in ('exact', 'nova'));
