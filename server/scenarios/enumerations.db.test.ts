import pg from 'pg'
import { expect, test } from 'vitest'
import { ROLES } from '../api/permit/roles'
import { freshDatabase } from '../boot/test-database'
import { ALARM_SEVERITIES } from '../engine/alarm/alarms'
import type { Confidence, Severity } from '../engine/audit/kinds'
import { VM_STATES } from '../engine/change'
import { CLOUD_ACTION_KINDS } from '../engine/cloud/action/action'
import { GROUP_POLICIES } from '../engine/demand'
import type { DrainChoice, Fallback, RunKind } from '../engine/drain/plan'
import { FENCING_METHODS, FENCING_STATES } from '../engine/fencing/fencing'
import { HOST_SCHEDULING, HOST_STATUSES, type Holding, type HostFrame, type UnitUse } from '../engine/host'
import { MARKER_STATES } from '../engine/layout/marker'
import { ROLLOUT_STATES } from '../engine/layout/rollout'
import { MEMORY_POLICIES } from '../engine/memory/policy'
import { OPERATIONS, OUTCOMES, REQUESTED_ACTIONS, type Side, STEPS, type StepRecord } from '../engine/migration/state'
import { POWER_STATES } from '../engine/power/state'
import { STORAGE_MODES, STORAGE_USED } from '../engine/storage/storage'
import type { CpuPolicy, CpuThreadPolicy, PciNumaPolicy } from '../engine/topology/guest-topology'
import { CLIENT_KINDS } from '../engine/words/owner'
import { UNIT_KINDS } from '../engine/words/units'
import { CHANNELS, type DeliveryEvent } from '../store/alarm/delivery'
import { CLOUD_ACTION_STATES } from '../store/cloud/action'
import { CLOUD_DRAIN_STATES } from '../store/cloud/drain'
import type { PartState, PlanState } from '../store/heal/plan'
import type { DeviceRow } from '../store/host/sql'
import type { ProposalState } from '../store/proposal/proposal'
import type { RunMigrationState, RunState } from '../store/run/row'

// The values of a column are listed twice: in the code that decides, and in the check that refuses all others. A value
// that only the code has would fail at its first write.

/** Every member of a union; omitting one does not compile. */
const all = <Word extends string>(words: Readonly<Record<NonNullable<Word>, true>>): readonly string[] =>
  Object.keys(words)

const SIDES = all<Side>({ source: true, target: true })
const CONSUMERS = all<Holding['consumerKind']>({ instance: true, migration: true })
const USES = all<UnitUse>({ pin: true, emulator: true, sibling: true, device: true, 'with-parent': true })

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'alarm.severity': ALARM_SEVERITIES,
  'alarm_delivery.channel': CHANNELS,
  'alarm_delivery.event': all<DeliveryEvent>({ raised: true, ended: true, test: true }),
  'api_token.role': ROLES,
  'auth_user.role': ROLES,
  'claim.consumer_kind': CONSUMERS,
  'claim_cell.cpu_policy': all<CpuPolicy>({ shared: true, dedicated: true, mixed: true }),
  'claim_cell.thread_policy': all<CpuThreadPolicy>({ prefer: true, isolate: true, require: true }),
  'cloud_drain.state': CLOUD_DRAIN_STATES,
  'cloud_action.state': CLOUD_ACTION_STATES,
  'cloud_action.verb': CLOUD_ACTION_KINDS,
  'consumer.owner_kind': ['berth', ...CLIENT_KINDS],
  'fencing.method': FENCING_METHODS,
  'fencing.state': FENCING_STATES,
  'finding.confidence': all<Confidence>({ sure: true, likely: true, once: true }),
  'finding.severity': all<Severity>({ critical: true, warning: true, info: true }),
  'guest_power.state': POWER_STATES,
  'heal_part.state': all<PartState>({ open: true, applied: true, changed: true, undone: true, 'left-out': true }),
  'heal_plan.state': all<PlanState>({
    ...{ draft: true, applied: true, 'partly-applied': true, changed: true, undone: true },
  }),
  'host.scheduling': HOST_SCHEDULING,
  'host.driver': all<HostFrame['driver']>({ simulated: true, libvirt: true, openstack: true }),
  'host.layout': all<HostFrame['layout']>({ flat: true, nested: true }),
  'host.memory': MEMORY_POLICIES,
  'host.status': HOST_STATUSES,
  'host_remain.side': SIDES,
  'instance.vm_state': VM_STATES,
  'instance_group.policy': GROUP_POLICIES,
  'layout_marker.state': MARKER_STATES,
  'layout_wave.state': ROLLOUT_STATES,
  'migration.direction': SIDES,
  'migration.home': SIDES,
  'migration.operation': OPERATIONS,
  'migration.outcome': OUTCOMES,
  'migration.step': STEPS,
  'migration.storage': STORAGE_MODES,
  'migration.storage_used': STORAGE_USED,
  // A retry only makes the migration due, and is never stored.
  'migration.requested_action': REQUESTED_ACTIONS.filter((requestedAction) => requestedAction !== 'retry'),
  'migration_step.direction': SIDES,
  'migration_step.result': all<NonNullable<StepRecord['result']>>({ done: true, failed: true, 'turned-back': true }),
  'migration_step.step': STEPS,
  'past_claim.consumer_kind': CONSUMERS,
  'past_unit.use': USES,
  'pci_alias.numa_policy': all<PciNumaPolicy>({ required: true, legacy: true, preferred: true, socket: true }),
  'proposal.state': all<ProposalState>({ open: true, approved: true, refused: true, withdrawn: true, expired: true }),
  'proposal.status': HOST_STATUSES,
  'run.fallback': all<Fallback>({ cold: true, stay: true, stop: true }),
  'run.kind': all<RunKind>({ drain: true, evacuation: true }),
  'run.state': all<RunState>({ draft: true, running: true, paused: true, stopping: true, done: true, stopped: true }),
  'run_move.chosen': all<DrainChoice>({ 'live-migrate': true, 'cold-migrate': true, stay: true }),
  'run_move.method': [...OPERATIONS, 'stop'],
  'run_move.state': all<RunMigrationState>({
    ...{
      planned: true,
      waiting: true,
      moving: true,
      done: true,
      failed: true,
      skipped: true,
      stays: true,
      blocked: true,
    },
  }),
  'simulator_record.kind': ['host', 'guest'],
  'unit.kind': UNIT_KINDS,
  'unit.state': all<DeviceRow['state']>({ present: true, gone: true }),
  'unit_holding.use': USES,
}

const CHECKS = `
  select format('%s.%s', c.conrelid::regclass, a.attname) as column, pg_get_constraintdef(c.oid) as check
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'c' and pg_get_constraintdef(c.oid) ~ '^CHECK \\(\\("?\\w+"? = ANY \\(ARRAY\\['`

test('the check constraints allow exactly the values that the code knows', async () => {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ column: string; check: string }>(CHECKS).finally(async () => {
    await client.end()
    await database.drop()
  })
  const accepted = rows.map(
    ({ column, check }) => [column, [...check.matchAll(/'([^']+)'::text/g)].map(([, word]) => word)] as const,
  )
  const sorted = (columns: readonly (readonly [string, readonly (string | undefined)[]])[]) =>
    Object.fromEntries(columns.map(([column, words]) => [column, [...words].sort()]))
  expect(sorted(accepted)).toEqual(sorted(Object.entries(COLUMNS)))
})
