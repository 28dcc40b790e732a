import { HOST_LIST } from '@/lists/host'
import { sortsOf } from '@/lists/list'
import { HOST_SCHEDULING, HOST_STATUSES, type Host } from '../../engine/host'
import { hostAtTime } from '../../engine/host-at-time'
import type { HostId } from '../../engine/words/ids'
import { listEvents } from '../../store/event/trail-read'
import { readMigrationsAt } from '../../store/past/migration'
import { readHeldAt, readHostsChangedSince, readPastSince, readStatesAt } from '../../store/past/past'
import { filterHosts, sortHosts } from '../host/list'
import { type HostMapView, hostMapView } from '../host/map'
import { type HostRow, hostRow, NO_NOTES, NO_TRAFFIC, trafficOf } from '../host/view'
import { type MigrationRow, refOf } from '../migration/view'
import type { Names, Ref } from '../names/names'
import { namesOf } from '../names/read'
import { HOST_ACTIONS, type Permits } from '../permit/permits'
import type { Ms, Page } from '../plain'
import { hostId, object, paged, query, someOf, zones } from '../procedure/inputs'
import { router, viewer } from '../procedure/procedure'
import { refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { pastTime } from './input'
import { refuseUnrecordedTime } from './recorded-time'

// Past views (N12). Read only: the past cannot be changed.

/** A time at which a host changed; of several changes at once the last one, and their number. */
export interface PastChange {
  readonly events: number
  readonly seq: string
  readonly at: Ms
  readonly kind: string
  readonly instance: Ref | null
  readonly migration: string | null
  readonly who: string
}

export interface PastRange {
  /** Nothing was recorded before this. */
  readonly from: Ms
  readonly to: Ms
}

export type PastMigration = Pick<
  MigrationRow,
  'id' | 'instance' | 'operation' | 'source' | 'target' | 'step' | 'direction' | 'startedAt' | 'stepSince'
>

const hostsInput = object({
  at: pastTime,
  q: query.optional(),
  status: someOf(HOST_STATUSES),
  scheduling: someOf(HOST_SCHEDULING),
  zone: zones,
  ...paged(sortsOf(HOST_LIST)),
})
const CHANGES = 500

export const pastRouter = router({
  range: viewer.query(async ({ ctx }): Promise<PastRange> => {
    return { from: await readPastSince(ctx.services.database), to: ctx.services.now() }
  }),

  /** Changes of a host, oldest first: the stops of the time slider. */
  changes: viewer.input(object({ host: hostId })).query(async ({ ctx, input }): Promise<readonly PastChange[]> => {
    const { services } = ctx
    const from = await readPastSince(services.database)
    const filter = { host: input.host, progress: false, limit: CHANGES }
    const events = await services.past.read((database) => listEvents(database, filter))
    const shown = events.filter((event) => event.at >= from)
    const names = await namesOf(
      services,
      shown.flatMap(({ instance }) => instance ?? []),
    )
    // Simultaneous changes are one stop, because there is no state between them.
    const changes = new Map<number, PastChange>()
    for (const { sequence, at, kind, instance, migration, who } of shown.toReversed()) {
      const events = (changes.get(at)?.events ?? 0) + 1
      const named = instance === null ? null : names.instance(instance)
      changes.set(at, { ...{ seq: sequence, at, kind, migration, who, events }, instance: named })
    }
    return [...changes.values()].sort((a, b) => a.at - b.at)
  }),

  hosts: viewer.input(hostsInput).query(async ({ ctx, input }): Promise<Page<HostRow>> => {
    const { services, caller } = ctx
    const { at } = input
    const then = await hostsAt(services, at)
    const traffic = trafficOf(then.migrations.map(({ migration }) => migration))
    const rows = filterHosts(then.hosts, input).map((host): HostRow => {
      const around = {
        ...{ rights: caller, notes: NO_NOTES, findings: null },
        traffic: traffic.get(host.id) ?? NO_TRAFFIC,
      }
      return { ...hostRow(host, around), permitted: NOTHING_PERMITTED }
    })
    const sorted = sortHosts(rows, input)
    return { rows: sorted.slice(input.offset, input.offset + input.limit), total: rows.length, seq: '0' }
  }),

  map: viewer.input(object({ id: hostId, at: pastTime })).query(async ({ ctx, input }): Promise<HostMapView> => {
    const { services } = ctx
    const now = services.fleet.host(input.id) ?? refuseUnknown('host', input.id)
    const then = await hostsAt(services, input.at, [now])
    const host = then.hosts[0] ?? now
    const active = new Map(then.migrations.map(({ migration }) => [migration.instance, migration]))
    return hostMapView(host, { names: then.names, active, seq: '0' })
  }),

  migrations: viewer
    .input(object({ at: pastTime }))
    .query(async ({ ctx, input }): Promise<readonly PastMigration[]> => {
      const { services } = ctx
      await refuseUnrecordedTime(services, input.at)
      const migrations = await services.past.read((database) => readMigrationsAt(database, input.at))
      const names = await namesOf(
        services,
        migrations.flatMap(({ migration: m }) => [m.instance, m.id]),
      )
      return migrations.map(({ migration, startedAt }) => {
        const { id, instance, operation, source, target, step, direction, stepSince } = migration
        return {
          ...{ id, operation, step, direction, stepSince, startedAt },
          instance: names.instance(instance),
          source: source && names.host(source),
          target: refOf(target ?? migration.requestedTarget, names),
        }
      })
    }),
})

const WHY = 'This is a past state. Return to now to act.'
const NOTHING_PERMITTED = Object.fromEntries(
  HOST_ACTIONS.map((action) => [action, { ok: false, why: WHY }]),
) as Permits<(typeof HOST_ACTIONS)[number]>

interface FleetAtTime {
  readonly hosts: readonly Host[]
  readonly migrations: Awaited<ReturnType<typeof readMigrationsAt>>
  readonly names: Names
}

/**
 * Only hosts that changed since are rebuilt; for the others the current snapshot was valid then. One read for all,
 * because each checks whether a replica is up to date.
 */
async function hostsAt(services: ApiServices, at: number, only?: readonly Host[]): Promise<FleetAtTime> {
  await refuseUnrecordedTime(services, at)
  const { past, fleet } = services
  const hosts = only ?? fleet.hosts()
  const { changed, states, held, migrations } = await past.read(async (database) => {
    const [changedIds, states, migrations] = await Promise.all([
      readHostsChangedSince(database, at),
      readStatesAt(database, at),
      readMigrationsAt(database, at),
    ])
    const changed = new Set<HostId>(changedIds)
    const asked = hosts.flatMap(({ id }) => (changed.has(id) ? [id] : []))
    return { changed, states, migrations, held: await readHeldAt(database, asked, at) }
  })
  const then = hosts.map((host) => {
    const state = states.get(host.id) ?? host
    if (changed.has(host.id)) return hostAtTime(host, held.holdings.get(host.id) ?? [], state)
    // Past leftovers were not stored, and the current ones do not belong to that time.
    return {
      ...host,
      leftovers: [],
      status: state.status,
      scheduling: state.scheduling,
      memory: state.memory ?? host.memory,
    }
  })
  const named = only ? then.flatMap((host) => host.holdings.map((holding) => holding.instance)) : []
  const names = await namesOf(services, named)
  return { hosts: then, migrations, names: withDeletedNames(names, held.names) }
}

/** The stored name of a deleted instance, instead of the start of its id. */
function withDeletedNames(names: Names, gone: ReadonlyMap<string, string>): Names {
  const instance: Names['instance'] = (id) => {
    const kept = gone.get(id)
    return kept === undefined ? names.instance(id) : { id, name: kept }
  }
  return { ...names, instance }
}
