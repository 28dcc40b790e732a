import { DEFAULT_BYTES_PER_S, type HostFault } from '../../drivers/simulated/faults'
import { DRIVER_OPERATIONS, OUTCOMES_OF_A_FAULT } from '../../drivers/simulated/record'
import type { Instance } from '../../engine/change'
import type { Host } from '../../engine/host'
import { shelved } from '../../engine/lifecycle'
import { permissionsOf } from '../../engine/migration/machine'
import { operationRow } from '../../engine/migration/operations'
import { type Migration, OPERATIONS, type Operation } from '../../engine/migration/state'
import { type RecordSnapshot, readSnapshot } from '../../store/audit/records'
import { commit } from '../../store/commit/commit'
import { readInstanceView } from '../../store/migration/view'
import { FLAVORS, IMAGES } from '../hardware'
import { count, type PostgresFixture } from './fixture'

// Actions of users and failures of hosts while servers are killed. Each action reads the records first, as a user
// would. An action that does not fit the current state does nothing.

const WEIGHTS = {
  move: 34,
  build: 10,
  requestedAction: 14,
  remove: 3,
  shelve: 3,
  busy: 4,
  'injected fault': 12,
  'slow network': 3,
  'stop answering': 4,
  'answer again': 6,
  'mark as down': 3,
  'mark as up': 6,
  fence: 3,
  return: 6,
  vanish: 1,
}
type PersonActionName = keyof typeof WEIGHTS

type PersonAction = (fixture: PostgresFixture, snapshot: RecordSnapshot) => Promise<boolean>

export async function anyAction(fixture: PostgresFixture): Promise<void> {
  const name = fixture.chance.weighted(WEIGHTS)
  if (await ACTIONS[name](fixture, await readSnapshot(fixture.database))) count(fixture, name)
}

const ACTIONS: { readonly [D in PersonActionName]: PersonAction } = {
  build: async (fixture) => {
    const { chance, operators, group } = fixture
    const flavor = chance.pick(FLAVORS)!
    const built = await operators.build({ flavor, image: chance.pick(IMAGES)!, ...(chance.permille(200) && { group }) })
    return built !== null
  },
  move: beginMigration,
  requestedAction: requestedAction,
  remove: async (fixture, { instances }) => {
    const instance = fixture.chance.pick(instances)
    return instance !== undefined && fixture.operators.deleteInstance(instance.id)
  },
  shelve,
  busy: async (fixture, { instances }) => {
    const instance = fixture.chance.pick(instances)
    if (!instance) return false
    await fixture.fleet.setDirtyRate(instance.id, fixture.chance.below(4) * 1_000_000_000)
    return true
  },
  'injected fault': (fixture) => {
    const { chance } = fixture
    const fault = {
      on: chance.pick(DRIVER_OPERATIONS)!,
      nth: 1 + chance.below(3),
      goes: chance.pick(OUTCOMES_OF_A_FAULT)!,
    }
    return injectFault(fixture, chance.pick(fixture.hosts), { do: 'plan', fault })
  },
  'slow network': (fixture) => {
    const bytesPerS = Math.floor(DEFAULT_BYTES_PER_S / (1 + fixture.chance.below(20)))
    return injectFault(fixture, fixture.chance.pick(fixture.hosts), { do: 'bandwidth', bytesPerS })
  },
  'stop answering': async (fixture) => injectFault(fixture, await hostThat(fixture, 'running'), { do: 'go-silent' }),
  'answer again': async (fixture) => injectFault(fixture, await hostThat(fixture, 'silent'), { do: 'return' }),
  'mark as down': (fixture, { hosts }) => {
    const host = fixture.chance.pick(hosts.filter(({ status }) => status === 'up'))
    return host ? fixture.operators.setStatus(host.id, 'down') : Promise.resolve(false)
  },
  'mark as up': async (fixture, { hosts }) => {
    const host = fixture.chance.pick(hosts.filter(({ status }) => status === 'down'))
    if (!host || (await fixture.fleet.status(host.id)).power !== 'running') return false
    return fixture.operators.setStatus(host.id, 'up')
  },
  fence,
  // Power first, then the status: until it is marked as up, Berth does not use the host.
  return: async (fixture, { hosts }) => {
    const host = fixture.chance.pick(hosts.filter(({ status }) => status === 'fenced'))
    return (await injectFault(fixture, host, { do: 'return' })) && fixture.operators.setStatus(host!.id, 'up')
  },
  vanish: async (fixture, snapshot) => {
    const lost = snapshot.hosts.some(({ status }) => status === 'lost')
    const host = fixture.chance.pick(snapshot.hosts)
    if (lost || !host || !(await enoughLeft(fixture))) return false
    return (await injectFault(fixture, host, { do: 'vanish' })) && fixture.operators.setStatus(host.id, 'lost')
  },
}

async function beginMigration(fixture: PostgresFixture, { instances, hosts }: RecordSnapshot): Promise<boolean> {
  const { chance, operators } = fixture
  const statusOf = new Map(hosts.map((host) => [host.id, host.status]))
  const fits = ({ vmState, host }: Instance, operation: Operation) => {
    const { startFrom, sourceStatuses } = operationRow(operation)
    return startFrom.includes(vmState) && (host === null || sourceStatuses.includes(statusOf.get(host) ?? 'lost'))
  }
  const operation = chance.pick(OPERATIONS.filter((each) => instances.some((instance) => fits(instance, each))))
  const instance = operation && chance.pick(instances.filter((each) => fits(each, operation)))
  if (!instance) return false
  const row = operationRow(operation)
  const migration = await operators.migrate(instance.id, {
    operation,
    target: row.target === 'same-place' || chance.permille(600) ? null : chance.pick(hosts)!.id,
    newFlavor: row.changes === 'flavor' ? chance.pick(FLAVORS)! : null,
    newImage: row.changes === 'image' ? chance.pick(IMAGES)! : null,
  })
  return migration !== null
}

async function requestedAction(fixture: PostgresFixture, { migrations }: RecordSnapshot): Promise<boolean> {
  const open = migrations.flatMap((migration: Migration) =>
    permissionsOf(migration).flatMap((each) =>
      each.allowed ? [{ id: migration.id, requestedAction: each.requestedAction }] : [],
    ),
  )
  // Most migrations may be aborted most of the time. At equal odds few would get anywhere.
  if (fixture.chance.permille(600))
    open.splice(0, open.length, ...open.filter(({ requestedAction }) => requestedAction !== 'abort'))
  const choice = fixture.chance.pick(open)
  return choice !== undefined && fixture.operators.requestAction(choice.id, choice.requestedAction)
}

/** Destroys the domain and its files first, then releases the claim. */
async function shelve(fixture: PostgresFixture, { instances }: RecordSnapshot): Promise<boolean> {
  const { database, fleet, clock } = fixture
  const active = instances.filter(({ vmState, host }) => vmState === 'active' && host !== null)
  const view = await readInstanceView(database, fixture.chance.pick(active)?.id ?? (fixture.hosts[0]!.id as never))
  if (!view || view.activeMigration !== null || view.host?.status !== 'up') return false
  const { id, generation } = view.instance
  const answer = await fleet.destroy({ instance: id, host: view.host.id, fence: generation })
  if (answer.did !== 'done') return false
  const attribution = { actor: { who: 'simulation', request: null, reason: null }, at: clock.now() }
  return (await commit(database, shelved(view, attribution))).ok
}

/** Fences before it marks the host as fenced: a false status is an operator error, not a fault to test. */
async function fence(fixture: PostgresFixture, { hosts }: RecordSnapshot): Promise<boolean> {
  const host = fixture.chance.pick(hosts.filter(({ status }) => status === 'up' || status === 'down'))
  if (!host || !(await enoughLeft(fixture))) return false
  return (await injectFault(fixture, host, { do: 'fence' })) && fixture.operators.setStatus(host.id, 'fenced')
}

async function injectFault(
  fixture: PostgresFixture,
  host: Pick<Host, 'id'> | undefined,
  fault: HostFault,
): Promise<boolean> {
  if (!host) return false
  await fixture.fleet.setFault(host.id, fault)
  return true
}

async function hostThat(fixture: PostgresFixture, power: 'running' | 'silent'): Promise<Host | undefined> {
  const statuses = await Promise.all(fixture.hosts.map((host) => fixture.fleet.status(host.id)))
  return fixture.chance.pick(fixture.hosts.filter((_, index) => statuses[index]?.power === power))
}

/** A fleet without hosts tests nothing more. */
async function enoughLeft(fixture: PostgresFixture): Promise<boolean> {
  const statuses = await Promise.all(fixture.hosts.map((host) => fixture.fleet.status(host.id)))
  return statuses.filter(({ power }) => power === 'running' || power === 'silent').length > 2
}
