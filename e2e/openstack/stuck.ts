import { randomUUID } from 'node:crypto'
import type { Compute } from './config'
import { sql } from './databases'
import { type Records, until } from './real-cloud'
import type { Rig } from './rig'
import type { Shut } from './stand-ins'

// Stuck states of a real Nova, each produced as it happens in practice: by a frozen or killed nova-compute, an
// unreachable Placement, or a tool that cleans up while something is in progress.

export interface StuckState {
  /** Title and subject of its finding. */
  readonly title: string
  readonly about: string
  readonly cause: RegExp
  readonly instance: string
  /** Every uuid that its repair may write. */
  readonly written: readonly string[]
}

const BOOTED = 'active rests'

interface BootRequest {
  readonly name: string
  readonly host: Compute
  readonly liveSeconds?: number
}

async function booted(rig: Rig, { name, host, liveSeconds }: BootRequest): Promise<string> {
  const id = await rig.cloud.boot(name, host, liveSeconds)
  await rig.cloud.untilRecords(id, 'boot', ({ state }) => state === BOOTED)
  return id
}

const live = (rig: Rig, id: string, host: Compute) =>
  rig.cloud.act(id, { 'os-migrateLive': { host, block_migration: 'auto' } })

const untilMigration = (rig: Rig, id: string, status: string) =>
  rig.cloud.untilRecords(id, status, ({ migration }) => migration === status)

const untilState = (rig: Rig, id: string, state: string) =>
  rig.cloud.untilRecords(id, state, (records) => records.state === state)

/** Kills nova-compute, starts it again, and waits until it reports, which it does after its clean-up at start. */
async function restart(rig: Rig, host: Compute): Promise<void> {
  const before = Date.now()
  rig.signal(host, 'SIGKILL')
  rig.revive(host)
  await until(`${host} reports again`, async () => (await rig.cloud.reportOf(host)) > before)
}

async function coldOn(rig: Rig, { name, from, to }: { name: string; from: Compute; to: Compute }): Promise<string> {
  const id = await booted(rig, { name, host: from })
  await rig.cloud.act(id, { migrate: { host: to } })
  await untilState(rig, id, 'resized rests')
  return id
}

const SWAPPED = 'The allocations of an instance are still swapped'

/** The audit tool takes the destination's allocation for an orphan while the source is frozen. */
async function lostByAudit(rig: Rig): Promise<readonly StuckState[]> {
  const [from, to] = ['cmp4', 'cmp2'] as const
  const id = await booted(rig, { name: 'lost-1', host: from })
  rig.signal(from, 'SIGSTOP')
  try {
    await rig.cloud.act(id, { migrate: { host: to } })
    await rig.cloud.untilRecords(id, 'claim', ({ held }) => held.includes(to))
    const provider = await rig.cloud.provider(to)
    await rig.manage('placement', 'audit', '--verbose', '--delete', '--resource_provider', provider)
  } finally {
    rig.signal(from, 'SIGCONT')
  }
  await untilState(rig, id, 'resized rests')
  await rig.cloud.act(id, { confirmResize: null })
  await untilMigration(rig, id, 'confirmed')
  await untilState(rig, id, BOOTED)
  return [
    {
      ...{ title: 'An instance has no allocation', about: 'lost-1', instance: id, written: [id] },
      cause: /^Somebody deleted the allocation of the instance after migration \d+/,
    },
  ]
}

/** A first migration holds the only slot, so that the destination is frozen before the second one prepares there. */
async function diedInPreparing(rig: Rig): Promise<readonly StuckState[]> {
  const [from, to] = ['cmp1', 'cmp2'] as const
  const first = await booted(rig, { name: 'slot-1', host: from, liveSeconds: 25 })
  const id = await booted(rig, { name: 'swap-1', host: from })
  await live(rig, first, 'cmp3')
  await untilMigration(rig, first, 'running')
  await live(rig, id, to)
  await untilMigration(rig, id, 'queued')
  rig.signal(to, 'SIGSTOP')
  try {
    await untilMigration(rig, id, 'preparing')
    await restart(rig, from)
  } finally {
    rig.signal(to, 'SIGCONT')
  }
  await untilState(rig, id, BOOTED)
  await rig.cloud.remove(first)
  const migration = await rig.cloud.newestMigration(id)
  return [
    {
      ...{ title: SWAPPED, about: 'swap-1', instance: id, written: [id, migration.uuid] },
      cause: /^Nova stopped working on the live-migration in preparing/,
    },
  ]
}

async function diedInRunning(rig: Rig): Promise<readonly StuckState[]> {
  const [from, to] = ['cmp1', 'cmp2'] as const
  const id = await booted(rig, { name: 'swap-2', host: from, liveSeconds: 3_600 })
  await live(rig, id, to)
  await untilMigration(rig, id, 'running')
  await restart(rig, from)
  await untilState(rig, id, BOOTED)
  const migration = await rig.cloud.newestMigration(id)
  return [
    {
      ...{ title: SWAPPED, about: 'swap-2', instance: id, written: [id, migration.uuid] },
      cause: /^The live-migration ended in error, and its allocations were not swapped back/,
    },
  ]
}

/** Nova cannot delete the allocations of the migration, and does not try again. */
async function arrivedWhileCutOff(rig: Rig): Promise<readonly StuckState[]> {
  const { id, migration } = await arrivedWithout(rig, { name: 'arrived-1', shut: 'cut off', status: 'completed' })
  return [
    {
      ...{ title: ENDED_HOLDS, about: `migration ${migration.id}`, instance: id, written: [migration.uuid] },
      cause: /^The live-migration ended in completed, and Nova did not delete/,
    },
  ]
}

/** After an unexpected response Nova also sets the instance to error. */
async function arrivedWithout503(rig: Rig): Promise<readonly StuckState[]> {
  const { id, migration } = await arrivedWithout(rig, { name: 'arrived-2', shut: 'answers 503', status: 'error' })
  await untilState(rig, id, 'error rests')
  return [
    {
      ...{ title: ENDED_HOLDS, about: `migration ${migration.id}`, instance: id, written: [migration.uuid] },
      cause: /^The live-migration ended in error, and Nova did not delete/,
    },
    {
      ...{ title: 'An instance is in ERROR', about: 'arrived-2', instance: id, written: [id] },
      cause: /^Migration \d+ ended in error after the instance had arrived on cmp2/,
    },
  ]
}

const ENDED_HOLDS = 'An ended migration still holds an allocation'

/** Requests until Nova gives up: a broken connection is retried once. */
const TRIES: Readonly<Record<Shut, number>> = { 'cut off': 2, 'answers 503': 1 }

async function arrivedWithout(
  rig: Rig,
  { name, shut, status }: { readonly name: string; readonly shut: Shut; readonly status: string },
) {
  const id = await booted(rig, { name, host: 'cmp1', liveSeconds: 10 })
  await live(rig, id, 'cmp2')
  await untilMigration(rig, id, 'running')
  rig.gate.shut(shut)
  try {
    await untilMigration(rig, id, status)
    const { uuid } = await rig.cloud.newestMigration(id)
    const tries = () => rig.gate.refused().filter((request) => request.includes(uuid)).length
    await until('Nova gives the release up', async () => tries() >= TRIES[shut])
  } finally {
    rig.gate.open()
  }
  return { id, migration: await rig.cloud.newestMigration(id) }
}

/** Allocations made by hand for a mistyped uuid. */
async function orphaned(rig: Rig): Promise<readonly StuckState[]> {
  const id = await booted(rig, { name: 'typed-1', host: 'cmp2' })
  const wrong = randomUUID()
  await rig.cloud.allocate(wrong, id)
  return [
    {
      ...{ title: 'Orphaned allocation: its consumer does not exist', about: wrong, instance: id, written: [wrong] },
      cause: /^Neither an instance nor a migration of this cloud has this uuid/,
    },
  ]
}

/** A resize that nobody confirmed. Its record is backdated by two days instead of waiting. */
export async function leaveResized(rig: Rig): Promise<readonly StuckState[]> {
  const id = await coldOn(rig, { name: 'waiting-1', from: 'cmp1', to: 'cmp2' })
  const back = 'date_sub(updated_at, interval 2 day)'
  sql(`update nova.migrations set updated_at = ${back}, created_at = ${back} where instance_uuid = '${id}'`)
  sql(`update nova.instances set updated_at = ${back} where uuid = '${id}'`)
  const migration = await rig.cloud.newestMigration(id)
  return [
    {
      ...{ title: 'A resize or migration awaits confirm or revert', about: 'waiting-1', instance: id },
      ...{ written: [id, migration.uuid], cause: /^The migration finished \d+ minutes ago and was neither/ },
    },
  ]
}

/** The source dies between the confirm and its execution. It stays dead, because its start would end this state. */
async function confirmKilled(rig: Rig): Promise<readonly StuckState[]> {
  const source = 'cmp3'
  const id = await coldOn(rig, { name: 'confirming-1', from: source, to: 'cmp2' })
  rig.signal(source, 'SIGSTOP')
  await beginConfirm(rig, id)
  rig.signal(source, 'SIGKILL')
  // Until then Nova's scheduler still uses the host.
  await rig.cloud.untilDown(source)
  const migration = await rig.cloud.newestMigration(id)
  return [
    {
      ...{ title: CONFIRM_STUCK, about: 'confirming-1', instance: id, written: [id, migration.uuid] },
      cause: /^nova-compute on cmp3 died before it acted on the confirm/,
    },
  ]
}

const CONFIRM_STUCK = 'A confirm does not end'

async function beginConfirm(rig: Rig, id: string): Promise<void> {
  await rig.cloud.act(id, { confirmResize: null })
  await untilMigration(rig, id, 'confirming')
}

export const EVACUATED_HOLDS = 'An evacuated instance still has allocations on its old host'
const SERVICE_DOWN = 'nova-compute is down on a host with instances'

/** A host dies with two instances; one is evacuated, and the other is left behind. */
async function hostDied(rig: Rig): Promise<readonly StuckState[]> {
  const host = 'cmp4'
  const [away, left] = [await booted(rig, { name: 'away-1', host }), await booted(rig, { name: 'stranded-1', host })]
  rig.signal(host, 'SIGKILL')
  await rig.cloud.forceDown(host, true)
  await rig.cloud.act(away, { evacuate: {} })
  await untilMigration(rig, away, 'done')
  await untilState(rig, away, BOOTED)
  return [
    {
      ...{ title: EVACUATED_HOLDS, about: 'away-1', instance: away },
      ...{ written: [away], cause: /^nova-compute on cmp4 has not started since the evacuation/ },
    },
    {
      ...{ title: SERVICE_DOWN, about: host, instance: left, written: [left] },
      cause: /^Somebody forced nova-compute down on cmp4, and nobody has evacuated its instances/,
    },
  ]
}

/** In an order in which they do not interfere. cmp3 and cmp4 are dead at the end. */
export const STATES: readonly ((rig: Rig) => Promise<readonly StuckState[]>)[] = [
  lostByAudit,
  arrivedWhileCutOff,
  arrivedWithout503,
  orphaned,
  diedInPreparing,
  diedInRunning,
  confirmKilled,
  hostDied,
]

type FindingLabel = Pick<StuckState, 'title' | 'about'>

interface Frozen {
  /** Findings while it is frozen. */
  readonly found: readonly FindingLabel[]
  /** Findings after the host was attested as powered off, which it is not. */
  readonly once: readonly FindingLabel[]
  /** Of these, the one whose instance may have arrived: no repair is offered for it. */
  readonly unsure: FindingLabel
  /** Waits until everything that was in progress has ended, and restarts nova-compute. */
  resume(): Promise<void>
}

/** Freezes a host during a confirm, live migrations and an evacuation. The host is not dead. */
export async function freeze(rig: Rig, host: Compute): Promise<Frozen> {
  const names = ['confirms', 'runs', 'queued', 'rests', 'away'] as const
  const ids = await Promise.all(
    names.map((name) => booted(rig, { name: `${name}-2`, host, liveSeconds: name === 'runs' ? 3_600 : 2 })),
  )
  const [confirms = '', runs = '', queued = '', , away = ''] = ids
  await rig.cloud.act(confirms, { migrate: { host: 'cmp2' } })
  await untilState(rig, confirms, 'resized rests')
  await live(rig, runs, 'cmp2')
  await untilMigration(rig, runs, 'running')
  await live(rig, queued, 'cmp2')
  await untilMigration(rig, queued, 'queued')
  rig.signal(host, 'SIGSTOP')
  await beginConfirm(rig, confirms)
  await rig.cloud.untilDown(host)
  await rig.cloud.act(away, { evacuate: {} })
  await untilMigration(rig, away, 'done')
  await untilState(rig, away, BOOTED)
  const unsure = { title: SWAPPED, about: 'runs-2' }
  return {
    found: [
      { title: CONFIRM_STUCK, about: 'confirms-2' },
      { title: SERVICE_DOWN, about: host },
      { title: EVACUATED_HOLDS, about: 'away-2' },
    ],
    ...{ once: [{ title: SWAPPED, about: 'queued-2' }, unsure], unsure },
    resume: async () => {
      await untilMigration(rig, confirms, 'confirmed')
      await rig.cloud.forceComplete(runs)
      for (const id of [runs, queued]) await untilMigration(rig, id, 'completed')
      // Only a start of nova-compute cleans up the evacuated instance.
      await restart(rig, host)
      for (const id of ids) await rig.cloud.untilRecords(id, 'end', (records) => rest(records))
    },
  }
}

/** It has an allocation on its own host only, and its migrations have none. */
const rest = ({ state, host, held, heldByMigrations }: Records) =>
  state === BOOTED && held.join() === host && heldByMigrations.length === 0
