-- What is held of an inventory stands beside it, so that a write can be refused by the row that it changes.
ALTER TABLE "inventory" ADD COLUMN     "used" BIGINT NOT NULL DEFAULT 0;

-- A row that every claim writes stays on its page: `used` is in no index.
alter table inventory set (fillfactor = 60);

update inventory i set used = held.used
from (select provider_id, resource_class, sum(amount) as used from allocation group by 1, 2) held
where held.provider_id = i.provider_id and held.resource_class = i.resource_class;
