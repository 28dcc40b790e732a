import type { FindingKind } from '../../engine/audit'
import { hostId } from '../../engine/testing/hosts'

// Damage that a database client can do to one row, as SQL. `:web` is the instance with pinned CPUs and a device,
// `:plain` one without, both on the first host; `:moved` is a migration of `:web` that has ended.

export interface Damage {
  readonly sql: string
  /** The kind of the finding. */
  readonly finds: FindingKind
  /** Why it must not be repaired, if so. */
  readonly tells?: RegExp
  /** Written in violation of a CHECK, like rows from before it was added. */
  readonly past?: { readonly table: string; readonly check: string; readonly test: string }
  /** Written with triggers disabled, so that references dangle. */
  readonly dangles?: true
}

const [H1, H2] = [hostId(1), hostId(2)]
const BOGUS = '00000000-0000-4000-8003-00000000b090'
const MISSING_INSTANCE = '00000000-0000-4000-8002-00000000dead'
const FORGED_MIGRATION = (
  instance: string,
  step: string,
) => `insert into migration select (jsonb_populate_record(m, jsonb_build_object(
    'id', '${BOGUS}', 'instance_id', ${instance}, 'source', '${H1}', 'target', '${H2}', 'step', '${step}',
    'direction', 'target', 'home', 'source', 'outcome', null, 'cause', null, 'ended_at', null, 'handed_over', false,
    'next_at', now() + interval '100 years', 'due_at', now() + interval '100 years'))).* from migration m where id = :moved`
const HUGE = { table: 'allocation', check: 'allocation_amount_whole', test: 'amount between 0 and 9007199254740991' }
const DEVICE = `(select d.unit_id from unit_holding d join claim k on k.id = d.claim_id
  where k.consumer_id = :web and d.use = 'device')`

export const DAMAGES: Readonly<Record<string, Damage>> = {
  'a claim on a wrong host': {
    finds: 'instance-claim-wrong',
    sql: `update claim set host_id = '${H2}' where consumer_id = :web`,
  },
  'a claim without devices on a wrong host': {
    finds: 'instance-claim-wrong',
    sql: `update claim set host_id = '${H2}' where consumer_id = :plain`,
  },
  'a claim and its allocations on a wrong host': {
    finds: 'instance-claim-wrong',
    sql: `with moved as (update claim set host_id = '${H2}' where consumer_id = :plain returning 1)
      update allocation set provider_id = '${H2}' where consumer_id = :plain and exists (select 1 from moved)`,
    dangles: true,
  },
  'a claim of the wrong kind': {
    finds: 'orphan-claim',
    sql: `update claim set consumer_kind = 'migration' where consumer_id = :web`,
  },
  'an amount of 2^53': {
    finds: 'unreadable-record',
    sql: `update allocation set amount = 9007199254740992 where consumer_id = :web and resource_class = 'MEMORY_MB'`,
    past: HUGE,
  },
  'an amount of 2^62': {
    finds: 'unreadable-record',
    sql: `update allocation set amount = 4611686018427387904 where consumer_id = :plain and resource_class = 'VCPU'`,
    past: HUGE,
  },
  'an allocation deleted': {
    finds: 'allocation-missing',
    sql: `delete from allocation where consumer_id = :web and resource_class = 'MEMORY_MB'`,
  },
  'a claim deleted': { finds: 'instance-claim-wrong', sql: 'delete from claim where consumer_id = :web' },
  'a NUMA node of a claim deleted': {
    finds: 'claim-differs-from-flavor',
    sql: 'delete from claim_cell where claim_id = (select id from claim where consumer_id = :web)',
  },
  'the unit of a held device deleted': {
    finds: 'device-unrecorded',
    sql: `delete from unit where id = ${DEVICE}`,
    dangles: true,
  },
  'the unit of a held device and its holding deleted': {
    finds: 'device-unrecorded',
    sql: `with held as (delete from unit_holding where unit_id = ${DEVICE} returning unit_id)
      delete from unit where id in (select unit_id from held)`,
    dangles: true,
  },
  'the unit of a pinned CPU deleted': {
    finds: 'pins-and-units-differ',
    sql: `delete from unit where id = (select min(d.unit_id) from unit_holding d join claim k on k.id = d.claim_id
      where k.consumer_id = :web and d.use = 'pin')`,
    dangles: true,
  },
  'a device taken from its claim': {
    finds: 'claim-differs-from-flavor',
    sql: `delete from unit_holding where unit_id = ${DEVICE}`,
  },
  'no host recorded': { finds: 'instance-claim-wrong', sql: 'update instance set host_id = null where id = :web' },
  'a wrong host recorded': {
    finds: 'instance-runs-elsewhere',
    sql: `update instance set host_id = '${H2}' where id = :web`,
  },
  'a forged migration': { finds: 'migration-claim-wrong', sql: FORGED_MIGRATION(':web', 'transfer') },
  'a forged migration in release': { finds: 'migration-contradicted', sql: FORGED_MIGRATION(':web', 'release') },
  'a migration of an unknown instance': {
    finds: 'migration-contradicted',
    sql: FORGED_MIGRATION(`'${MISSING_INSTANCE}'`, 'transfer'),
    dangles: true,
  },
  'a migration of an unknown instance, in claim': {
    finds: 'migration-contradicted',
    sql: FORGED_MIGRATION(`'${MISSING_INSTANCE}'`, 'claim'),
    dangles: true,
  },
  'the row of an instance deleted': {
    finds: 'orphan-claim',
    tells: /Claims of running instances are not released/,
    sql: 'delete from instance where id = :web',
    dangles: true,
  },
  'the row of a consumer deleted': {
    finds: 'unreadable-record',
    sql: 'delete from consumer where id = :web',
    dangles: true,
  },
  'a leftover of an active instance on its own host': {
    finds: 'leftover-wrong',
    sql: `insert into host_remain (host_id, instance_id, migration_id, side, since) values ('${H1}', :web, null, 'source', now())`,
  },
}
