-- The ledger asks who wrote the rows of a host that was reshaped, as it asks for writes of the Placement API.
create index event_of_layout on event (at) where kind = 'layout.healed';
