import { HOST, SHARING } from '../host/sql'
import { INSTANCE_JSON } from '../instance/row'
import { MIGRATION_JSON } from '../migration/row'
import { OWNER_JSON } from '../placement/owner'
import { surveyJson } from '../survey/survey'

// Reads everything for an audit in one statement, and so from one snapshot. After the first read it returns only hosts
// and instances that an event names. Committed events without a sequence are read from the outbox, so no change is
// missed. Small tables are always read completely.

const SHARES = 'MISC_SHARES_VIA_AGGREGATE'

// $1 sequence read up to, $2 { host: root generation } known, $3 hosts and $4 instances to read regardless, $5 { host:
// digest } of domains known, $6 the time before which an ended migration is history.
const INPUT_CTES = `
  events_since as (
    select instance_id, raised from event where sequence > $1::bigint
    union all select instance_id, raised from outbox),
  raised as (select distinct k::uuid as id from events_since, jsonb_object_keys(events_since.raised) k),
  known as (select key::uuid as id, value::bigint as generation from jsonb_each_text($2::jsonb)),
  wanted as (
    select instance_id as id from events_since where instance_id is not null
    union select unnest($4::uuid[])),
  surveyed as (select key::uuid as id, value as digest from jsonb_each_text($5::jsonb))`

// A tree without a host belongs to the client that registered it, as do Nova's instances there: a claim is only missing
// for a consumer that the records know, or where our own hosts share the provider.
const SHARES_OF_P = `exists (select 1 from provider_trait t where t.provider_id = p.id and t.trait = '${SHARES}')`
const OF_OUR_RECORDS = `exists (select 1 from instance i where i.id = a.consumer_id)
       or exists (select 1 from migration m where m.id = a.consumer_id)`

const PART = (name: string, json: string) => `json_build_object('${name}', ${json})`

/** Holdings of a consumer, by provider tree. */
const treeAmounts = (consumer: string) => `(
  select coalesce(json_agg(json_build_object('tree', s.name, 'host', s.host, 'resourceClass', s.resource_class,
    'amount', s.amount) order by s.name, s.resource_class), '[]')
  from (
    select r.name, h.id as host, a.resource_class, sum(a.amount) as amount
    from allocation a join resource_provider p on p.id = a.provider_id join resource_provider r on r.id = p.root_id
      left join host h on h.id = r.id
    where a.consumer_id = ${consumer} group by 1, 2, 3) s)`

/** Active migrations, those that ended recently, and those that a claim or a leftover refers to. */
const RECENT_MIGRATIONS = `m.outcome is null or m.ended_at > $6::timestamptz
  or m.id in (select consumer_id from claim where consumer_kind = 'migration')
  or m.id in (select migration_id from host_remain where migration_id is not null)`

const WHOLE = [
  `select ${PART(
    'all',
    `json_build_object('seq', r.last::text, 'hosts', (select coalesce(json_agg(id), '[]') from host),
      'newEvents', (select count(*) from event where sequence > $1::bigint),
      'foreignAllowed', exists (select 1 from setting where name = 'foreign-instances' and value = '"allow"'),
      'wanted', (select coalesce(json_agg(id), '[]') from wanted))`,
  )} from relay r`,
  `select ${PART('share', SHARING.json)} from resource_provider p where p.id in (
    select t.provider_id from provider_trait t join raised on raised.id = t.provider_id where t.trait = '${SHARES}')`,
  `select ${PART(
    'move',
    `json_build_object('row', ${MIGRATION_JSON}, 'at', ms(m.updated_at), 'owner', m.lease_owner)`,
  )} from migration m where ${RECENT_MIGRATIONS}`,
  `select ${PART('group', `json_build_object('id', g.id, 'policy', g.policy, 'maxPerHost', g.max_per_host)`)}
   from instance_group g`,
  `select ${PART('survey', surveyJson('l.digest is distinct from s.digest'))}
   from host_survey s left join surveyed l on l.id = s.host_id`,
  `select ${PART(
    'stray',
    `json_build_object('consumer', a.consumer_id, 'type', c.type, 'provider', a.provider_id, 'host', h.id,
      'resourceClass', a.resource_class, 'amount', a.amount,
      'owner', case when c.owner_kind <> 'berth' then ${OWNER_JSON} end)`,
  )} from allocation a join resource_provider p on p.id = a.provider_id
   left join claim k on k.consumer_id = a.consumer_id
   left join host h on h.id = p.root_id join consumer c on c.id = a.consumer_id
   where k.host_id is distinct from p.root_id
     and (h.id is not null or (k.host_id is null and (${SHARES_OF_P} or ${OF_OUR_RECORDS})))`,
  `select ${PART(
    'swap',
    `json_build_object('migration', c.id, 'instance', c.swapped_from, 'at', ms(c.swapped_at), 'owner', ${OWNER_JSON},
      'heldByMigration', ${treeAmounts('c.id')}, 'heldByInstance', ${treeAmounts('c.swapped_from')})`,
  )} from consumer c where c.swapped_from is not null and exists (select 1 from allocation a where a.consumer_id = c.id)`,
  `select ${PART('loose', `json_build_object('id', c.id, 'type', c.type)`)} from consumer c
   where c.owner_kind = 'berth' and not exists (select 1 from claim k where k.consumer_id = c.id)`,
  `select ${PART('mistyped', `json_build_object('id', c.id, 'type', c.type)`)} from claim k
   join consumer c on c.id = k.consumer_id where c.type <> upper(k.consumer_kind)`,
  `select ${PART('root', `json_build_object('provider', p.id, 'name', p.name)`)} from resource_provider p
   where p.parent_id is null and not exists (select 1 from host h where h.id = p.id)
     and not ${SHARES_OF_P}`,
  `select ${PART(
    'remain',
    `json_build_object('host', r.host_id, 'instance', r.instance_id, 'migration', r.migration_id, 'side', r.side)`,
  )} from host_remain r`,
  `select ${PART(
    'layout',
    `json_build_object('host', l.host_id, 'state', l.state, 'since', ms(l.at), 'why', l.why)`,
  )} from layout_marker l`,
]

const instances = (where: string) =>
  `select ${PART('instance', `json_build_object('row', ${INSTANCE_JSON}, 'at', ms(i.updated_at))`)}
   from instance i where ${where}`
const hosts = (where: string) => `select ${PART('host', HOST.json)} from host h where ${where}`

const CHANGED_HOSTS = `h.id = any($3::uuid[]) or not exists (
  select 1 from known join resource_provider p on p.id = known.id
  where known.id = h.id and known.generation = p.generation)`

export const READ_ALL = `with ${INPUT_CTES} ${[...WHOLE, instances('true'), hosts('true or h.id = any($3::uuid[])')].join(' union all ')}`
export const READ_CHANGED = `with ${INPUT_CTES}
  ${[...WHOLE, instances('i.id in (select id from wanted)'), hosts(CHANGED_HOSTS)].join(' union all ')}`
