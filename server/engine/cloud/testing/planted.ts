import type { Amounts } from '../snapshot'
import { hostDied, lastOf, migrateLive, otherHost, type Plant, plant, sourceDied } from './deaths'
import {
  addHost,
  addMigration,
  addServer,
  claimOn,
  FLAVORS,
  hostNamed,
  type ModelCloud,
  type ModelHost,
  type ModelServer,
  newPins,
  nextId,
  partsOf,
  put,
  SHARED,
  write,
} from './nova-cloud'
import { confirmResize, evacuate, resize, rollBack, runAll, runUntil } from './nova-operations'

// Faults of each group, produced as on a real cloud: an operation that stops for ever at one of its writes, a deleted
// row, a dead host. Each says what the audit must find, and the operator's remedy where no call repairs it.

const addAmounts = (one: Amounts, name: string, more: number): Amounts => ({ ...one, [name]: (one[name] ?? 0) + more })

const migrateCold = (cloud: ModelCloud, server: ModelServer) =>
  resize(cloud, server, { target: otherHost(cloud, server), flavor: server.flavor })

const finished = (cloud: ModelCloud, server: ModelServer) => {
  runAll(migrateCold(cloud, server))
  return lastOf(cloud, server)
}

/** A host with one instance, which then dies. */
function dyingHost(cloud: ModelCloud, attested: boolean): { host: ModelHost; server: ModelServer } {
  const host = addHost(cloud)
  const server = addServer(cloud, host, FLAVORS[0])
  Object.assign(host, { up: false, forcedDown: true, dead: attested })
  return { host, server }
}

export const PLANTS: readonly Plant[] = [
  plant('ended-migration-holds-allocation', [], (cloud, server) => {
    const host = otherHost(cloud, server)
    const migration = addMigration(cloud, server, { type: 'resize', status: 'confirmed', targetHost: server.host })
    Object.assign(migration, { sourceHost: host.name })
    put(cloud, migration.uuid, claimOn(cloud, host, server.flavor))
    return { object: migration.uuid }
  }),
  plant('instance-holds-two-hosts', [], (cloud, server) => {
    const { provider } = otherHost(cloud, server)
    put(cloud, server.id, [...partsOf(cloud, server.id), [provider, { VCPU: 1, MEMORY_MB: 64 }]])
    return { object: server.id }
  }),
  ...['accepted', 'queued', 'preparing', 'running'].map(sourceDied),
  ...['queued', 'preparing', 'running'].map(hostDied),
  plant('allocations-swapped', [], (cloud, server) => {
    runUntil(migrateCold(cloud, server), () => server.taskState === 'resize_migrating')
    write(cloud, server, { taskState: null })
    return { object: server.id }
  }),
  plant('allocation-missing', [], (cloud, server) => {
    put(cloud, server.id, [])
    return { object: server.id }
  }),
  plant('confirm-stuck', [], (cloud) => {
    // The source has no other instance and is attested as off.
    const source = addHost(cloud)
    const server = addServer(cloud, source, FLAVORS[0])
    const migration = finished(cloud, server)
    confirmResize(cloud, server, migration).next()
    Object.assign(source, { up: false, dead: true })
    return { object: server.id }
  }),
  plant('confirm-stuck', ['hours'], (cloud, server) => {
    const migration = finished(cloud, server)
    confirmResize(cloud, server, migration).next()
    const source = hostNamed(cloud, migration.sourceHost)
    return { object: server.id, resolve: () => source.domains.delete(server.id) }
  }),
  plant('migration-stuck', ['hours'], (cloud, server) => {
    runUntil(migrateLive(cloud, server), () =>
      cloud.migrations.some((each) => each.instance === server.id && each.status === 'queued'),
    )
    return { object: server.id, resolve: () => runAll(rollBack(cloud, server, lastOf(cloud, server))) }
  }),
  plant('evacuated-holds-source', [], (cloud) => {
    const { server } = dyingHost(cloud, true)
    runAll(evacuate(cloud, server, otherHost(cloud, server)))
    return { object: server.id }
  }),
  plant('guest-runs-twice', ['witness'], (cloud, server) => {
    const domain = hostNamed(cloud, server.host).domains.get(server.id)
    const other = otherHost(cloud, server)
    if (domain !== undefined) other.domains.set(server.id, domain)
    return { object: server.id, resolve: () => other.domains.delete(server.id) }
  }),
  plant('guest-runs-elsewhere', ['witness'], (cloud, server) => {
    const own = hostNamed(cloud, server.host)
    const domain = own.domains.get(server.id)
    const other = otherHost(cloud, server)
    if (domain === undefined) throw new Error('needs a domain')
    own.domains.delete(server.id)
    other.domains.set(server.id, domain)
    return {
      object: server.id,
      resolve: () => {
        other.domains.delete(server.id)
        own.domains.set(server.id, domain)
      },
    }
  }),
  plant('domain-leftover', ['hours', 'witness'], (cloud, server) => {
    const domain = hostNamed(cloud, server.host).domains.get(server.id)
    const other = otherHost(cloud, server)
    if (domain !== undefined) other.domains.set(server.id, { ...domain, state: 'shut off' })
    return { object: server.id, resolve: () => other.domains.delete(server.id) }
  }),
  plant('orphaned-allocation', [], (cloud, server) => {
    const object = nextId(cloud)
    put(cloud, object, [[hostNamed(cloud, server.host).provider, { VCPU: 2 }]])
    return { object }
  }),
  plant('allocation-on-other-host', [], (cloud, server) => {
    put(cloud, server.id, claimOn(cloud, otherHost(cloud, server), server.flavor))
    return { object: server.id }
  }),
  plant('amounts-differ-from-flavor', [], (cloud, server, chance) => {
    const { provider } = hostNamed(cloud, server.host)
    const name = ['VCPU', 'PCPU', 'MEMORY_MB'][chance(3)] ?? 'VCPU'
    const parts = [...partsOf(cloud, server.id)].map(
      ([id, amounts]) => [id, id === provider ? addAmounts(amounts, name, 1) : amounts] as const,
    )
    put(cloud, server.id, parts)
    return { object: server.id }
  }),
  plant('shared-storage-doubled', ['shared'], (cloud, server) => {
    const parts = [...partsOf(cloud, server.id)].map(
      ([id, amounts]) => [id, id === SHARED ? { DISK_GB: 2 * (amounts.DISK_GB ?? 0) } : amounts] as const,
    )
    put(cloud, server.id, parts)
    return { object: server.id }
  }),
  plant('cpu-pinned-twice', [], (cloud, server) => {
    const host = hostNamed(cloud, server.host)
    const one = addServer(cloud, host, FLAVORS[2])
    const other = addServer(cloud, host, FLAVORS[2])
    const pinTo = (pins: ModelServer['pins']) => {
      write(cloud, other, { pins })
      const domain = host.domains.get(other.id)
      const real = new Map([...(pins ?? [])].map(([server, cpu]) => [server, [cpu]]))
      if (domain !== undefined) host.domains.set(other.id, { ...domain, pins: real })
    }
    pinTo(one.pins)
    return { object: one.id, resolve: () => pinTo(newPins(cloud, FLAVORS[2])) }
  }),
  plant('guest-pins-differ', ['witness'], (cloud, server) => {
    const added = addServer(cloud, hostNamed(cloud, server.host), FLAVORS[2])
    runAll(migrateLive(cloud, added, 1))
    write(cloud, added, { pins: newPins(cloud, FLAVORS[2]) })
    return { object: added.id }
  }),
  plant('task-stuck', ['hours'], (cloud, server) => {
    write(cloud, server, { taskState: 'powering-off' })
    return { object: server.id, resolve: () => write(cloud, server, { taskState: null }) }
  }),
  plant('instance-shut-down', [], (cloud, server) => {
    write(cloud, server, { powerState: 4 })
    const { domains } = hostNamed(cloud, server.host)
    const domain = domains.get(server.id)
    if (domain !== undefined) domains.set(server.id, { ...domain, state: 'shut off' })
    return { object: server.id }
  }),
  plant('instance-in-error', [], (cloud, server) => {
    const message = 'MessagingTimeout: Timed out waiting for a reply to message ID 1'
    write(cloud, server, { vmState: 'error', fault: { message } })
    return { object: server.id }
  }),
  // It arrived, but Placement did not answer when Nova deleted what the migration held.
  plant('instance-in-error', [], (cloud, server) => {
    runAll(migrateLive(cloud, server))
    const migration = lastOf(cloud, server)
    write(cloud, migration, { status: 'error' })
    const message = `Failed to delete allocations for consumer ${migration.uuid}. Error: `
    write(cloud, server, { vmState: 'error', fault: { message } })
    return { object: server.id }
  }),
  plant('service-down', [], (cloud) => {
    const { host } = dyingHost(cloud, true)
    return { object: host.name }
  }),
  plant('service-disabled', [], (cloud) => {
    const host = addHost(cloud)
    addServer(cloud, host, FLAVORS[0])
    host.enabled = false
    return { object: host.name, resolve: () => Object.assign(host, { enabled: true }) }
  }),
  plant('provider-without-service', [], (cloud) => {
    const object = nextId(cloud)
    cloud.looseProviders.set(object, `gone-${object}`)
    return { object }
  }),
  plant('service-without-provider', [], (cloud) => {
    const host = addHost(cloud)
    const { provider } = host
    host.provider = ''
    return { object: host.name, resolve: () => Object.assign(host, { provider }) }
  }),
  plant('provider-uuid-differs', [], (cloud) => {
    const host = addHost(cloud)
    const { provider } = host
    host.provider = ''
    cloud.looseProviders.set(provider, host.name)
    const resolve = () => {
      cloud.looseProviders.delete(provider)
      host.provider = provider
    }
    return { object: host.name, resolve }
  }),
  plant('group-policy-broken', [], (cloud, server) => {
    const id = nextId(cloud)
    const other = addServer(cloud, hostNamed(cloud, server.host), FLAVORS[0])
    cloud.groups.push({ id, policy: 'anti-affinity', members: [server.id, other.id] })
    return { object: id, resolve: () => cloud.groups.pop() }
  }),
  plant('resize-awaits-confirm', ['hours'], (cloud, server) => {
    finished(cloud, server)
    return { object: server.id }
  }),
]
