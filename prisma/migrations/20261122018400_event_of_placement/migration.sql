-- The ledger asks for each row of a page who wrote it. A write of the Placement API names providers, so its moment alone
-- finds it, and an import or a demo fleet writes tens of thousands of events of other kinds at one moment.
create index event_of_placement on event (at) where kind like 'placement.%';
