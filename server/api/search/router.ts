import type { VmState } from '../../engine/change'
import type { RunKind } from '../../engine/drain/plan'
import type { Host, HostScheduling, HostStatus } from '../../engine/host'
import type { Operation, Outcome, RequestedAction, Step } from '../../engine/migration/state'
import { searchInstances, searchMigrations, searchRecords, searchTrees, searchViews } from '../../store/search/search'
import { deviceLabel } from '../claim/view'
import { fleetNow, hostNotes } from '../host/fleet-now'
import { contactOf, type HostContact, type HostNotes, hostKind, NO_NOTES } from '../host/view'
import type { Ref } from '../names/names'
import {
  actionPermits,
  type HostAction,
  hostPermits,
  type InstanceAction,
  instancePermits,
  type Permits,
} from '../permit/permits'
import { type Permit, permitSomewhere, type Rights } from '../permit/rights'
import { object, query } from '../procedure/inputs'
import { router, viewer } from '../procedure/procedure'
import { sharedWithHosts } from '../provider/router'
import { emptyPermits } from '../run/permits'

// The query of the command palette while the user types: hosts and devices are in memory, the rest is in the database.

export interface FoundHost extends Ref {
  readonly zone: string | null
  readonly status: HostStatus
  readonly contact: HostContact | null
  readonly scheduling: HostScheduling
  readonly permitted: Permits<HostAction | RunKind>
}

export interface FoundInstance extends Ref {
  readonly project: string
  readonly vmState: VmState
  readonly host: Ref | null
  readonly permitted: Permits<InstanceAction>
}

export interface FoundMigration {
  readonly id: string
  readonly instance: Ref
  readonly operation: Operation
  readonly step: Step
  readonly outcome: Outcome | null
  readonly permitted: Permits<RequestedAction>
}

/** A device by its address, such as `0000:3b:00.1`, or any unit by its name. */
export interface FoundDevice {
  readonly host: Ref
  readonly unit: string
  readonly label: string
  readonly held: boolean
}

/** A record found only by its id. `name` is that of its subject. */
export interface FoundRecord {
  readonly noun: 'finding' | 'heal' | 'run' | 'claim' | 'provider'
  readonly id: string
  readonly name: string
}

/** A provider tree of a Placement API client. */
export type FoundTree = Ref

/** The user's own saved view, or a shared one. */
export interface FoundView {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly query: string
}

export interface SearchView {
  readonly hosts: readonly FoundHost[]
  readonly instances: readonly FoundInstance[]
  readonly migrations: readonly FoundMigration[]
  readonly devices: readonly FoundDevice[]
  readonly trees: readonly FoundTree[]
  readonly records: readonly FoundRecord[]
  readonly views: readonly FoundView[]
  /** Actions that need no object. */
  readonly permitted: { readonly build: Permit }
  readonly tookMs: number
}

const MAX_RESULTS = 8
/** Shorter input matches too many devices. */
const DEVICE_LETTERS = 3

export const searchRouter = router({
  find: viewer.input(object({ q: query })).query(async ({ ctx, input }): Promise<SearchView> => {
    const { caller, services } = ctx
    const began = performance.now()
    const permitted = { build: permitSomewhere(caller, 'operate') }
    const text = input.q
    if (text === '') return { ...NOTHING, permitted, tookMs: 0 }
    const hosts = services.fleet.hosts()
    const sought = { text, limit: MAX_RESULTS }
    const found = findHosts(hosts, text)
    const [instances, migrations, records, trees, views, now, notes] = await Promise.all([
      searchInstances(services.database, sought),
      searchMigrations(services.database, sought),
      searchRecords(services.database, sought),
      searchTrees(services.database, sought),
      searchViews(services.database, { ...sought, owner: caller.id }),
      fleetNow(services),
      hostNotes(
        services,
        found.map(({ id }) => id),
      ),
    ])
    const shared = sharedWithHosts(services)
    const named = (id: string | null) => (id === null ? null : hosts.find((host) => host.id === id)) ?? null
    return {
      hosts: found.map((host) => foundHost(host, { rights: caller, notes: notes.get(host.id) ?? NO_NOTES })),
      instances: instances.map((instance): FoundInstance => {
        const host = named(instance.host)
        const activeMigration = now.active.get(instance.id)?.id ?? null
        const { id, name, project, vmState } = instance
        return {
          ...{ id, name, project, vmState, host: host && { id: host.id, name: host.name } },
          permitted: instancePermits({ instance, host, activeMigration }, caller),
        }
      }),
      migrations: migrations.map(({ migration, instanceName }): FoundMigration => {
        const { id, operation, step, outcome, instance } = migration
        return {
          ...{ id, operation, step, outcome, instance: { id: instance, name: instanceName } },
          permitted: actionPermits(migration, { rights: caller, host: (id) => services.fleet.host(id) }),
        }
      }),
      devices: findDevices(hosts, text),
      trees: trees.filter(({ id }) => !shared.has(id)),
      ...{ records, views },
      permitted,
      tookMs: performance.now() - began,
    }
  }),
})

const NOTHING = { hosts: [], instances: [], migrations: [], devices: [], trees: [], records: [], views: [] } as const

/** Names with that prefix first; ids and their prefixes count as names. */
function findHosts(hosts: readonly Host[], text: string): readonly Host[] {
  const sought = text.toLowerCase()
  const ranked = hosts.flatMap((host) => {
    const at = host.name.toLowerCase().indexOf(sought)
    if (at >= 0) return [{ host, rank: at === 0 ? 0 : 1 }]
    return sought.length >= 8 && host.id.startsWith(sought) ? [{ host, rank: 0 }] : []
  })
  ranked.sort((a, b) => a.rank - b.rank || a.host.name.length - b.host.name.length || compare(a.host.name, b.host.name))
  return ranked.slice(0, MAX_RESULTS).map(({ host }) => host)
}

/** Every word is in the device's name or its host's, so that `std-01 3b:00` finds one card on one host. */
function findDevices(hosts: readonly Host[], text: string): readonly FoundDevice[] {
  const words = text.toLowerCase().split(/\s+/)
  const found: FoundDevice[] = []
  for (const host of hosts) {
    const rest = words.filter((word) => !host.name.toLowerCase().includes(word))
    if (rest.length === 0 || rest.every((word) => word.length < DEVICE_LETTERS)) continue
    for (const device of host.devices) {
      const unit = device.unit.toLowerCase()
      if (!rest.every((word) => unit.includes(word))) continue
      const held = host.holdings.some(({ body }) => body.units.some((taken) => taken.unit === device.unit))
      found.push({ host: { id: host.id, name: host.name }, unit: device.unit, label: deviceLabel(device), held })
      if (found.length === MAX_RESULTS) return found
    }
  }
  return found
}

function foundHost(host: Host, { rights, notes }: { rights: Rights; notes: HostNotes }): FoundHost {
  const { id, name, zone, status, scheduling } = host
  const kind = hostKind(host, notes)
  const permitted = { ...hostPermits({ name, zone, status, scheduling, kind }, rights), ...emptyPermits(host, rights) }
  return { id, name, zone, status, contact: contactOf(host, notes), scheduling, permitted }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
