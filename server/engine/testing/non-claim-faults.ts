import type { Snapshot, SurveyResult } from '../audit/snapshot'
import type { Host } from '../host'
import type { UnitName } from '../words/units'
import {
  type Fault,
  type FaultFleet,
  repairable,
  seeing,
  showing,
  unrepairable,
  withMigration,
  without,
} from './faults'
import { NOW } from './fleet'
import { groupId, instanceId, providerId } from './hosts'

// Faults outside the rows of a claim: diverging hypervisors, conditions that last too long, and rows beside the
// records.

const MINUTE_MS = 60_000

const withHost = (snapshot: Snapshot, id: Host['id'], change: (host: Host) => Partial<Host>): Snapshot => ({
  ...snapshot,
  hosts: snapshot.hosts.map((host) => (host.id === id ? { ...host, ...change(host) } : host)),
})

const withoutDevice = (unit: UnitName) => (survey: SurveyResult) => {
  return { devices: (survey.devices ?? []).filter((each) => each.unit !== unit) }
}

function freeDevice(on: FaultFleet) {
  const host = on.host((each) => each.devices.some(({ free }) => free))
  return { host, unit: host?.devices.find(({ free }) => free)?.unit }
}

export const NON_CLAIM_FAULTS: Readonly<Record<string, Fault>> = {
  'an unknown domain': unrepairable(['domain-unknown'], (on) => {
    const host = on.host()
    const instance = instanceId(800 + on.chance(90))
    return host && { snapshot: seeing(on.snapshot, host.id, showing({ instance, body: null })), instances: [instance] }
  }),
  'an instance without any domain': unrepairable(['instance-nowhere'], (on) => {
    const victim = on.resting()
    if (victim === null) return null
    const { id } = victim.instance
    return { snapshot: seeing(on.snapshot, victim.host.id, without(id)), instances: [id] }
  }),
  'a running domain without the tag': unrepairable(['domain-untagged'], (on) => {
    const victim = on.resting()
    if (victim === null) return null
    const { id } = victim.instance
    const redefined = (survey: SurveyResult) => ({
      domains: survey.domains.map((each) => (each.instance === id ? { ...each, untagged: true as const } : each)),
    })
    return { snapshot: seeing(on.snapshot, victim.host.id, redefined), instances: [id] }
  }),
  'a domain on two hosts': unrepairable(['instance-runs-twice', 'instance-runs-elsewhere'], (on) => {
    const victim = on.resting()
    const other = victim && on.host(({ id }) => id !== victim.host.id)
    if (!victim || !other) return null
    const { id } = victim.instance
    return {
      snapshot: seeing(on.snapshot, other.id, showing({ instance: id, body: null })),
      instances: [id],
      near: [other.id],
    }
  }),
  'a returned host that still runs an instance': {
    finds: ['instance-runs-elsewhere', 'quarantined-host-runs'],
    also: ['instance-runs-twice'],
    heals: false,
    plant: (on) => {
      const victim = on.resting()
      const other = victim && on.host(({ id }) => id !== victim.host.id)
      if (!victim || !other) return null
      const { id } = victim.instance
      const closed = withHost(on.snapshot, other.id, () => ({ scheduling: 'quarantined' }))
      return {
        snapshot: seeing(closed, other.id, showing({ instance: id, body: null })),
        instances: [id],
        hosts: [other.id],
      }
    },
  },
  'a migration that waits too long': unrepairable(['migration-stuck'], (on) => {
    const migration = on.moving(({ step }) => step !== 'verify' && step !== 'claim')
    if (migration === null) return null
    const waiting = { for: 'retry', why: 'the disk does not answer' } as const
    return {
      snapshot: withMigration(on.snapshot, migration.id, { stepSince: NOW - 11 * MINUTE_MS, waiting }),
      instances: [migration.instance],
    }
  }),
  'a lease newer than its fence': unrepairable(['lease-wrong'], (on) => {
    const migration = on.moving(() => true)
    const spoilt = on.snapshot.leases?.map((lease) =>
      lease.migration === migration?.id ? { ...lease, fence: 99 } : lease,
    )
    return migration && { snapshot: { ...on.snapshot, leases: spoilt! }, instances: [migration.instance] }
  }),
  'two active migrations of one instance': unrepairable(['two-active-migrations'], (on) => {
    const migration = on.moving(() => true)
    if (migration === null) return null
    const id = instanceId(900 + on.chance(90)) as never
    const second = { ...migration, id, step: 'claim', target: null, fence: 0 } as const
    return {
      snapshot: { ...on.snapshot, migrations: [...on.snapshot.migrations, second] },
      instances: [migration.instance],
    }
  }),
  'a permanently lost host of an instance': unrepairable(['claim-on-lost-host'], (on) => {
    const migrations = new Set(
      on.snapshot.migrations.flatMap(({ step, source, target }) => (step === 'ended' ? [] : [source, target])),
    )
    const host = on.host((each) => each.holdings.length > 0 && !migrations.has(each.id))
    if (host === null) return null
    const gone = withHost(on.snapshot, host.id, () => ({ status: 'lost' }))
    const silent = seeing(gone, host.id, () => ({ answered: false, domains: [] }))
    return { snapshot: silent, hosts: [host.id], instances: host.holdings.map(({ instance }) => instance) }
  }),
  'a leftover row of an instance on its own host': repairable(['leftover-wrong'], (on) => {
    const victim = on.resting()
    if (victim === null) return null
    const { id } = victim.instance
    const listed = withHost(on.snapshot, victim.host.id, ({ leftovers }) => ({ leftovers: [...leftovers, id] }))
    const remain = { host: victim.host.id, instance: id, migration: null, side: 'source' } as const
    return { snapshot: { ...listed, leftovers: [...(listed.leftovers ?? []), remain] }, instances: [id] }
  }),
  'a held device missing on its host': unrepairable(['device-lost'], (on) => {
    const victim = on.resting(({ holding }) => holding.body.units.some(({ use }) => use === 'device'))
    const unit = victim?.holding.body.units.find(({ use }) => use === 'device')?.unit
    if (!victim || !unit) return null
    const marked = withHost(on.snapshot, victim.host.id, ({ devices }) => {
      return { devices: devices.map((each) => (each.unit === unit ? { ...each, gone: true } : each)) }
    })
    return { snapshot: seeing(marked, victim.host.id, withoutDevice(unit)), instances: [victim.instance.id] }
  }),
  'a recorded free device missing on its host': repairable(['device-state-wrong'], (on) => {
    const { host, unit } = freeDevice(on)
    if (!host || !unit) return null
    return { snapshot: seeing(on.snapshot, host.id, withoutDevice(unit)), hosts: [host.id] }
  }),
  'a device still attached after its instance left': unrepairable(['device-still-attached'], (on) => {
    const { host, unit } = freeDevice(on)
    const victim = host && on.resting((each) => each.host.id !== host.id)
    if (!host || !unit || !victim) return null
    const attached = ({ devices }: SurveyResult): Partial<SurveyResult> => ({
      devices: (devices ?? []).map((each) => (each.unit === unit ? { ...each, attachedTo: victim.instance.id } : each)),
    })
    return { snapshot: seeing(on.snapshot, host.id, attached), hosts: [host.id], instances: [victim.instance.id] }
  }),
  'a second provider for a host': unrepairable(['two-providers'], (on) => {
    const host = on.host()
    const looseRoots = [
      ...(on.snapshot.looseRoots ?? []),
      { provider: providerId(90), name: `${host?.name}.example.org` },
    ]
    return host && { snapshot: { ...on.snapshot, looseRoots }, hosts: [host.id] }
  }),
  'a failed conversion': unrepairable(['conversion-unfinished'], (on) => {
    const host = on.host()
    const layouts = on.snapshot.layouts!.map((mark) => {
      return mark.host === host?.id ? { ...mark, state: 'failed' as const, why: 'no room' } : mark
    })
    return host && { snapshot: { ...on.snapshot, layouts }, hosts: [host.id] }
  }),
  'memory behind the tables': unrepairable(['projection-differs'], (on) => {
    const host = on.host()
    const projected = on.snapshot.projected!.map((each) => {
      return each.host === host?.id ? { ...each, memory: each.tables - 1, differsSince: NOW - MINUTE_MS } : each
    })
    return host && { snapshot: { ...on.snapshot, projected }, hosts: [host.id] }
  }),
  'an inventory shrunk under its usage': unrepairable(['over-capacity'], (on) => {
    const host = on.host((each) => each.providers.some(({ inventories }) => inventories.some(({ used }) => used > 1)))
    if (host === null) return null
    const [provider, inventory] = host.providers.flatMap((each) => {
      return each.inventories.flatMap((own) => (own.used > 1 ? [[each, own] as const] : []))
    })[0]!
    const total = Math.ceil((inventory.used - 1) / (inventory.allocationRatioMilli / 1000)) - 1
    const inventories = provider.inventories.map((own) => (own === inventory ? { ...own, total, reserved: 0 } : own))
    const providers = host.providers.map((each) => (each === provider ? { ...each, inventories } : each))
    return {
      snapshot: withHost(on.snapshot, host.id, () => ({ providers })),
      hosts: [host.id],
      instances: host.holdings.map(({ instance }) => instance),
    }
  }),
  'usage that differs from the sum of claims': unrepairable(['usage-mismatch'], (on) => {
    const host = on.host()
    const nodes = host?.numaNodes.map((node, at) =>
      at === 0 ? { ...node, memoryUsedMib: node.memoryUsedMib + 1 } : node,
    )
    return host && { snapshot: withHost(on.snapshot, host.id, () => ({ numaNodes: nodes! })), hosts: [host.id] }
  }),
  'members of an anti-affinity group on one host': unrepairable(['group-broken'], (on) => {
    const one = on.resting()
    const other = one && on.neighbour(one)
    if (!one || !other) return null
    const id = groupId(1 + on.chance(1000))
    const ids = [one.instance.id, other.instance.id]
    const instances = on.snapshot.instances.map((each) => (ids.includes(each.id) ? { ...each, group: id } : each))
    const groups = [...(on.snapshot.groups ?? []), { id, policy: 'anti-affinity', maxPerHost: 1 } as const]
    return { snapshot: { ...on.snapshot, instances, groups }, instances: ids, consumers: ids }
  }),
}
