import type { CloudCall } from '../repair'
import type { Amounts, CloudFlavor } from '../snapshot'
import {
  addMigration,
  addServer,
  claimOn,
  domainOf,
  hostNamed,
  type ModelCloud,
  type ModelHost,
  type ModelMigration,
  type ModelServer,
  moveAllocations,
  newPins,
  type Operation,
  type Pace,
  partsOf,
  put,
  write,
} from './nova-cloud'

// Nova's own sequence of writes. An operation is a generator that yields between two of them, so that any number
// interleave and a reader can run in between. `soon`: Nova continues at once, and no task protects the gap.

export function* build(cloud: ModelCloud, host: ModelHost, flavor: CloudFlavor): Operation {
  const server = addServer(cloud, host, flavor)
  const domain = host.domains.get(server.id)
  host.domains.delete(server.id)
  const parts = partsOf(cloud, server.id)
  put(cloud, server.id, [])
  write(cloud, server, { host: null, node: null, vmState: 'building', taskState: 'scheduling' })
  yield 'later'
  put(cloud, server.id, parts)
  yield 'later'
  write(cloud, server, { host: host.name, node: host.name, taskState: 'spawning' })
  yield 'later'
  if (domain !== undefined) host.domains.set(server.id, domain)
  yield 'later'
  write(cloud, server, { vmState: 'active', taskState: null })
}

export function* remove(cloud: ModelCloud, server: ModelServer): Operation {
  write(cloud, server, { taskState: 'deleting' })
  yield 'later'
  for (const host of cloud.hosts.values()) host.domains.delete(server.id)
  yield 'later'
  cloud.servers.delete(server.id)
  yield 'soon'
  put(cloud, server.id, [])
}

export interface LiveEnd {
  /** Number of writes after which it fails; null: it succeeds. */
  readonly failsAfter: number | null
}

export function* liveMigrate(
  cloud: ModelCloud,
  server: ModelServer,
  move: LiveEnd & { readonly target: ModelHost },
): Operation {
  const { target, failsAfter } = move
  const source = hostNamed(cloud, server.host)
  write(cloud, server, { taskState: 'migrating' })
  yield 'later'
  const migration = addMigration(cloud, server, { type: 'live-migration', status: 'accepted', targetHost: target.name })
  yield 'later'
  moveAllocations(cloud, server.id, migration.uuid)
  yield 'later'
  put(cloud, server.id, claimOn(cloud, target, server.flavor))
  yield 'later'
  for (const [at, status] of ['queued', 'preparing', 'running'].entries()) {
    write(cloud, migration, { status })
    yield 'later'
    if (failsAfter === at) return yield* rollBack(cloud, server, migration)
  }
  const pins = newPins(cloud, server.flavor)
  source.domains.delete(server.id)
  target.domains.set(server.id, domainOf({ ...server, pins }))
  yield 'later'
  write(cloud, server, { host: target.name, node: target.name, taskState: null, pins })
  yield 'soon'
  write(cloud, migration, { status: 'completed' })
  yield 'soon'
  put(cloud, migration.uuid, [])
}

export function* rollBack(cloud: ModelCloud, server: ModelServer, migration: ModelMigration): Operation {
  moveAllocations(cloud, migration.uuid, server.id)
  yield 'later'
  write(cloud, server, { taskState: null })
  yield 'soon'
  write(cloud, migration, { status: migration.status === 'queued' ? 'cancelled' : 'failed' })
}

export function* resize(
  cloud: ModelCloud,
  server: ModelServer,
  move: { readonly target: ModelHost; readonly flavor: CloudFlavor },
): Operation {
  const { target, flavor } = move
  const source = hostNamed(cloud, server.host)
  const type = flavor === server.flavor ? 'migration' : 'resize'
  write(cloud, server, { taskState: 'resize_prep' })
  yield 'later'
  const migration = addMigration(cloud, server, { type, status: 'pre-migrating', targetHost: target.name })
  yield 'later'
  moveAllocations(cloud, server.id, migration.uuid)
  yield 'later'
  put(cloud, server.id, claimOn(cloud, target, flavor))
  yield 'later'
  write(cloud, server, { taskState: 'resize_migrating' })
  write(cloud, migration, { status: 'migrating' })
  yield 'later'
  const domain = source.domains.get(server.id)
  if (domain !== undefined) source.domains.set(server.id, { ...domain, state: 'shut off' })
  yield 'later'
  write(cloud, server, { host: target.name, node: target.name, taskState: 'resize_migrated' })
  write(cloud, migration, { status: 'post-migrating' })
  yield 'later'
  write(cloud, server, { taskState: 'resize_finish', oldFlavor: server.flavor, flavor, pins: newPins(cloud, flavor) })
  yield 'later'
  target.domains.set(server.id, domainOf(server))
  yield 'later'
  write(cloud, migration, { status: 'finished' })
  yield 'later'
  write(cloud, server, { vmState: 'resized', taskState: null })
}

export function* confirmResize(cloud: ModelCloud, server: ModelServer, migration: ModelMigration): Operation {
  write(cloud, migration, { status: 'confirming' })
  yield 'later'
  if (migration.sourceHost !== server.host) hostNamed(cloud, migration.sourceHost).domains.delete(server.id)
  yield 'later'
  write(cloud, migration, { status: 'confirmed' })
  yield 'soon'
  write(cloud, server, { vmState: 'active' })
  yield 'soon'
  put(cloud, migration.uuid, [])
}

export function* revertResize(cloud: ModelCloud, server: ModelServer, migration: ModelMigration): Operation {
  const flavor = server.oldFlavor ?? server.flavor
  const source = hostNamed(cloud, migration.sourceHost)
  write(cloud, server, { taskState: 'resize_reverting' })
  yield 'later'
  write(cloud, migration, { status: 'reverting' })
  yield 'later'
  hostNamed(cloud, server.host).domains.delete(server.id)
  write(cloud, migration, { status: 'reverted' })
  yield 'later'
  write(cloud, server, { host: source.name, node: source.name, flavor, pins: newPins(cloud, flavor) })
  yield 'later'
  moveAllocations(cloud, migration.uuid, server.id)
  yield 'later'
  source.domains.set(server.id, domainOf(server))
  yield 'later'
  write(cloud, server, { vmState: 'active', taskState: null })
}

export function* evacuate(cloud: ModelCloud, server: ModelServer, target: ModelHost): Operation {
  write(cloud, server, { taskState: 'rebuilding' })
  yield 'later'
  const migration = addMigration(cloud, server, { type: 'evacuation', status: 'accepted', targetHost: target.name })
  yield 'later'
  put(cloud, server.id, [...partsOf(cloud, server.id), ...claimOn(cloud, target, server.flavor)])
  yield 'later'
  write(cloud, migration, { status: 'pre-migrating' })
  yield 'later'
  write(cloud, server, {
    host: target.name,
    node: target.name,
    pins: newPins(cloud, server.flavor),
    vmState: 'active',
    powerState: 1,
  })
  target.domains.set(server.id, domainOf(server))
  yield 'later'
  write(cloud, migration, { status: 'done' })
  yield 'later'
  write(cloud, server, { taskState: null })
}

export const runAll = (work: Operation): void => {
  while (!work.next().done);
}

/** Runs an operation up to the write at which a predicate holds, and leaves it there. */
export function runUntil(work: Operation, reached: () => boolean): void {
  while (!reached() && !work.next().done);
}

const DURATION = 2_000
const SOON_DELAY_MS = 8_000

/** Advances the clock after everything that Nova does at once. */
export function advance(cloud: ModelCloud, ms: number): void {
  const end = cloud.now + ms
  while (cloud.now < end) {
    cloud.now = Math.min(end, cloud.now + DURATION)
    for (const operation of [...cloud.operations]) {
      while (operation.pace === 'soon' && cloud.now - operation.since >= SOON_DELAY_MS && step(cloud, operation));
    }
  }
}

export function step(cloud: ModelCloud, operation: ModelCloud['operations'][number]): boolean {
  const { done, value } = operation.work.next()
  Object.assign(operation, { pace: value ?? 'later', since: cloud.now })
  if (done) cloud.operations.splice(cloud.operations.indexOf(operation), 1)
  return !done
}

export const begin = (cloud: ModelCloud, instance: string, work: Operation): void => {
  const operation = { work, pace: 'later' as Pace, since: cloud.now, instance }
  cloud.operations.push(operation)
  step(cloud, operation)
}

/** Performs a call; returns the status that Nova or Placement answers. */
export function apply(cloud: ModelCloud, call: CloudCall): number {
  if (call.path === '/allocations') return postAllocations(cloud, call.body as never)
  if (call.method === 'DELETE') {
    return cloud.looseProviders.delete(call.path.replace('/resource_providers/', '')) ? 204 : 404
  }
  const server = cloud.servers.get(call.path.split('/')[2] ?? '')
  if (server === undefined) return 404
  const body = call.body as Record<string, unknown>
  if (server.taskState !== null && !('os-resetState' in body) && !('evacuate' in body)) return 409
  const host = hostNamed(cloud, server.host)
  if ('os-resetState' in body) write(cloud, server, { vmState: 'active', taskState: null })
  else if ('reboot' in body) {
    write(cloud, server, { vmState: 'active', powerState: 1, fault: null })
    host.domains.set(server.id, domainOf(server))
  } else if ('confirmResize' in body) {
    const migration = cloud.migrations.find(({ instance, status }) => instance === server.id && status === 'finished')
    if (migration === undefined || !hostNamed(cloud, migration.sourceHost).up) return 400
    runAll(confirmResize(cloud, server, migration))
  } else {
    const target = [...cloud.hosts.values()].find(({ up, enabled, provider }) => up && enabled && provider !== '')
    if (host.up || target === undefined) return 400
    runAll(evacuate(cloud, server, target))
  }
  return 202
}

type AllocationBody = Record<
  string,
  { allocations: Record<string, { resources: Amounts }>; consumer_generation: number | null }
>

function postAllocations(cloud: ModelCloud, body: AllocationBody): number {
  for (const [id, { consumer_generation }] of Object.entries(body)) {
    if ((cloud.consumers.get(id)?.generation ?? null) !== consumer_generation) return 409
  }
  for (const [id, { allocations }] of Object.entries(body)) {
    put(
      cloud,
      id,
      Object.entries(allocations).map(([provider, { resources }]) => [provider, resources] as const),
    )
  }
  return 204
}
