import type { Compute } from './config'
import { sql } from './databases'
import { until } from './real-cloud'
import type { Rig } from './rig'

// Stuck states of a real Nova, each made the way it comes about: a frozen or killed nova-compute, a Placement that is not
// reached, a tool that cleans up while something is in progress.

export interface Stuck {
  /** Title of its finding, and what it is about. */
  readonly title: string
  readonly about: string
  readonly cause: RegExp
  /** Instance that it is about, and every consumer whose allocations may be written by its repair. */
  readonly instance: string
  readonly consumers: readonly string[]
}

const BOOTED = 'active rests'

async function booted(rig: Rig, name: string, host: Compute, liveSeconds?: number): Promise<string> {
  const id = await rig.cloud.boot(name, host, liveSeconds)
  await rig.cloud.untilRecords(id, 'boot', ({ state }) => state === BOOTED)
  return id
}

const act = (rig: Rig, id: string, action: string, argument: unknown = null) =>
  rig.cloud.act(id, { [action]: argument })

const live = (rig: Rig, id: string, host: Compute) => act(rig, id, 'os-migrateLive', { host, block_migration: 'auto' })

const untilMigration = (rig: Rig, id: string, status: string) =>
  rig.cloud.untilRecords(id, status, ({ migration }) => migration === status)

const untilState = (rig: Rig, id: string, state: string) =>
  rig.cloud.untilRecords(id, state, (records) => records.state === state)

/** Killed and started again, until the clean-up of its start has run. */
async function restart(rig: Rig, host: Compute): Promise<void> {
  const before = Date.now()
  rig.signal(host, 'SIGKILL')
  rig.revive(host)
  await until(`${host} reports again`, async () => (await rig.cloud.reportOf(host)) > before)
}

async function coldOn(rig: Rig, { name, from, to }: { name: string; from: Compute; to: Compute }): Promise<string> {
  const id = await booted(rig, name, from)
  await act(rig, id, 'migrate', { host: to })
  await untilState(rig, id, 'resized rests')
  return id
}

const SWAPPED = 'The allocations of an instance are still swapped'

/** The destination's allocation is taken for an orphan while the source is slow. */
async function lostByAudit(rig: Rig): Promise<Stuck> {
  const [from, to] = ['cmp4', 'cmp2'] as const
  const id = await booted(rig, 'lost', from)
  rig.signal(from, 'SIGSTOP')
  try {
    await act(rig, id, 'migrate', { host: to })
    await rig.cloud.untilRecords(id, 'claim', ({ held }) => held.includes(to))
    const provider = await rig.cloud.provider(to)
    await rig.manage('placement', 'audit', '--verbose', '--delete', '--resource_provider', provider)
  } finally {
    rig.signal(from, 'SIGCONT')
  }
  await untilState(rig, id, 'resized rests')
  await act(rig, id, 'confirmResize')
  await untilMigration(rig, id, 'confirmed')
  await untilState(rig, id, BOOTED)
  return {
    ...{ title: 'An instance has no allocation', about: 'lost', instance: id, consumers: [id] },
    cause: /^Somebody deleted the allocation of the instance after migration \d+/,
  }
}

/** A first migration holds the only slot of the source, so that the second stops where its destination is frozen. */
async function diedInPreparing(rig: Rig): Promise<Stuck> {
  const [from, to] = ['cmp1', 'cmp2'] as const
  const first = await booted(rig, 'slot', from, 8)
  const id = await booted(rig, 'preparing', from)
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
  const migration = await rig.cloud.newestMigration(id)
  return {
    ...{ title: SWAPPED, about: 'preparing', instance: id, consumers: [id, migration.uuid] },
    cause: /^Nova stopped working on the live-migration in preparing/,
  }
}

async function diedInRunning(rig: Rig): Promise<Stuck> {
  const [from, to] = ['cmp1', 'cmp2'] as const
  const id = await booted(rig, 'running', from, 3_600)
  await live(rig, id, to)
  await untilMigration(rig, id, 'running')
  await restart(rig, from)
  await untilState(rig, id, BOOTED)
  const migration = await rig.cloud.newestMigration(id)
  return {
    ...{ title: SWAPPED, about: 'running', instance: id, consumers: [id, migration.uuid] },
    cause: /^The live-migration ended in error, and the swap of its allocations was not taken back/,
  }
}

/** The instance arrives, and Nova cannot release what its migration held. */
async function arrivedWithoutPlacement(rig: Rig): Promise<Stuck> {
  const id = await booted(rig, 'arrived', 'cmp1', 6)
  await live(rig, id, 'cmp2')
  await untilMigration(rig, id, 'running')
  rig.gate.shut()
  try {
    await rig.cloud.untilRecords(id, 'end', ({ migration, host }) => host === 'cmp2' && migration !== 'running')
    await rig.cloud.untilRecords(id, 'end', ({ migration }) => migration === 'error' || migration === 'failed')
  } finally {
    rig.gate.open()
  }
  await untilState(rig, id, BOOTED)
  const migration = await rig.cloud.newestMigration(id)
  return {
    ...{ title: 'An ended migration still holds an allocation', about: `migration ${migration.id}`, instance: id },
    ...{
      consumers: [migration.uuid],
      cause: /^The live-migration ended in \w+, and Nova did not delete its allocation/,
    },
  }
}

/** Deleted while Placement was not reached. */
async function orphaned(rig: Rig): Promise<Stuck> {
  const id = await booted(rig, 'orphan', 'cmp2')
  rig.gate.shut()
  try {
    await rig.cloud.remove(id)
  } finally {
    rig.gate.open()
  }
  return {
    ...{ title: 'Orphaned allocation: its consumer does not exist', about: id, instance: id, consumers: [id] },
    cause: /^Neither an instance nor a migration of this cloud has this uuid/,
  }
}

/** Nobody came back to it: its record is dated two days back, which is the one thing here that is not waited for. */
async function leftResized(rig: Rig): Promise<Stuck> {
  const id = await coldOn(rig, { name: 'waiting', from: 'cmp1', to: 'cmp2' })
  const back = 'date_sub(updated_at, interval 2 day)'
  sql(`update nova.migrations set updated_at = ${back}, created_at = ${back} where instance_uuid = '${id}'`)
  sql(`update nova.instances set updated_at = ${back} where uuid = '${id}'`)
  const migration = await rig.cloud.newestMigration(id)
  return {
    ...{ title: 'A resize or migration awaits confirm or revert', about: 'waiting', instance: id },
    ...{ consumers: [id, migration.uuid], cause: /^The migration finished \d+ minutes ago and was neither/ },
  }
}

/** The source takes the confirm, and dies before it acts on it. It stays dead: its start would end the state. */
async function confirmKilled(rig: Rig, source: Compute): Promise<Stuck> {
  const id = await confirmFrozen(rig, { name: 'confirming', source })
  rig.signal(source, 'SIGKILL')
  return {
    ...(await confirmStuck(rig, id, 'confirming')),
    cause: /^nova-compute on cmp3 died before it acted on the confirm/,
  }
}

export async function confirmFrozen(rig: Rig, { name, source }: { name: string; source: Compute }): Promise<string> {
  const id = await coldOn(rig, { name, from: source, to: 'cmp2' })
  rig.signal(source, 'SIGSTOP')
  await act(rig, id, 'confirmResize')
  await untilMigration(rig, id, 'confirming')
  return id
}

export async function confirmStuck(rig: Rig, id: string, name: string): Promise<Omit<Stuck, 'cause'>> {
  const migration = await rig.cloud.newestMigration(id)
  return { title: 'A confirm does not end', about: name, instance: id, consumers: [id, migration.uuid] }
}

/** A host dies with two instances; one is evacuated, and nobody thinks of the other. */
async function hostDied(rig: Rig, host: Compute): Promise<readonly Stuck[]> {
  const [away, left] = [await booted(rig, 'evacuated', host), await booted(rig, 'stranded', host)]
  rig.signal(host, 'SIGKILL')
  await rig.cloud.forceDown(host, true)
  await act(rig, away, 'evacuate', {})
  await untilMigration(rig, away, 'done')
  await untilState(rig, away, BOOTED)
  return [
    {
      ...{ title: 'An evacuated instance still holds its old host', about: 'evacuated', instance: away },
      ...{ consumers: [away], cause: /^nova-compute on cmp4 has not started since the evacuation/ },
    },
    {
      ...{ title: 'nova-compute is down on a host with instances', about: host, instance: left, consumers: [left] },
      cause: /^Somebody forced nova-compute down on cmp4, and nobody has evacuated its instances/,
    },
  ]
}

/** All at once, in an order in which they leave each other alone. cmp3 and cmp4 are dead at the end. */
export async function makeAll(rig: Rig): Promise<readonly Stuck[]> {
  return [
    await lostByAudit(rig),
    await arrivedWithoutPlacement(rig),
    await orphaned(rig),
    await diedInPreparing(rig),
    await diedInRunning(rig),
    await leftResized(rig),
    await confirmKilled(rig, 'cmp3'),
    ...(await hostDied(rig, 'cmp4')),
  ]
}
