import { freeOn } from '../../engine/explain/largest'
import type { Host } from '../../engine/host'
import { ranHere } from '../../engine/power/returned'
import type { HostId } from '../../engine/words/ids'
import type { Database } from '../../store/database/database'
import { readAuditNow } from '../../store/finding/finding'
import { countInstances } from '../../store/instance/list'
import { countMigrations, listMigrations } from '../../store/migration/list'
import { readStoppedInstances } from '../../store/power/stopped-instances'
import { countOpenProposals } from '../../store/proposal/proposal'
import { type RunningOn, readRunningOn } from '../../store/run/read'
import { blockedOn } from '../capacity/blocked-units'
import { migrationAmounts } from '../capacity/router'
import { cloudHealth } from '../cloud/health'
import { isUnanswering, rowParts } from '../host/fleet-now'
import { classShare, type HeatCell, type HeatRun, heatCell, NO_NOTES } from '../host/view'
import { slowMigrations } from '../migration/pace'
import { migrationRows } from '../migration/rows'
import type { MigrationRow } from '../migration/view'
import { namesOf } from '../names/read'
import type { Share } from '../plain'
import { router, viewer } from '../procedure/procedure'
import { type AttentionItem, attentionOf } from './attention'

export interface OverviewView {
  readonly hosts: readonly HeatCell[]
  readonly hostCount: number
  readonly instanceCount: number
  readonly attention: readonly AttentionItem[]
  /** Active migrations, then waiting ones; of many, those that started first. */
  readonly migrations: readonly MigrationRow[]
  readonly migrationCounts: { readonly flight: number; readonly queued: number; readonly waiting: number }
  readonly capacity: readonly OverviewClass[]
  readonly seq: string
}

export interface OverviewClass extends Share {
  readonly resourceClass: string
  readonly heldTwice: number
  /** The largest free amount on one host that accepts claims and answers. */
  readonly largestFree: number
}

const MIGRATIONS_SHOWN = 50
const FAILED_SHOWN = 20
/** Older failures are not shown. */
const FAILED_FOR_MS = 24 * 3600_000

export const overviewRouter = router({
  get: viewer.query(async ({ ctx }): Promise<OverviewView> => {
    const { services, caller } = ctx
    const { database, fleet } = services
    const hosts = fleet.hosts()
    const [{ now, notes, partsOf }, counts, instanceCount, failed, audit, runs, health, clouds, requests] =
      await Promise.all([
        rowParts(services),
        countMigrations(database),
        countInstances(database),
        listMigrations(database, {
          view: 'history',
          outcome: ['failed'],
          sort: 'ended',
          offset: 0,
          limit: FAILED_SHOWN,
        }),
        readAuditNow(database),
        readRunningOn(database),
        services.health.read(),
        cloudHealth(services),
        countOpenProposals(database, services.now()),
      ])
    const migrations = await underWay(database)
    const ranBefore = await instancesToStart(database)
    const fresh = failed.rows.filter(({ endedAt }) => (endedAt ?? 0) > services.now() - FAILED_FOR_MS)
    const active = [...now.active.values()]
    const slow = await slowMigrations(services, active)
    const moving = [...active, ...fresh.map(({ migration }) => migration)].map((m) => m.instance)
    const names = await namesOf(services, [...moving, ...audit.byKind.flatMap(({ instance }) => instance ?? [])])
    return {
      hosts: hosts.map((host) => heatCell(host, { ...partsOf(host), run: heatRun(runs.get(host.id)) })),
      hostCount: hosts.length,
      instanceCount,
      attention: attentionOf({
        ...{ hosts, active, slow, failed: fresh, notes, findings: audit.byKind, names, ranBefore, clouds, requests },
        moreFailed: fresh.length === FAILED_SHOWN,
        health: health.checks,
      }),
      migrations: await migrationRows(services, migrations, caller),
      migrationCounts: { flight: counts.flight - counts.queued, queued: counts.queued, waiting: counts.waiting },
      capacity: capacityOf(hosts, (host) => isUnanswering(host, notes.get(host.id) ?? NO_NOTES)),
      seq: now.seq,
    }
  }),
})

async function instancesToStart(database: Database): Promise<ReadonlyMap<HostId, number>> {
  const counts = new Map<HostId, number>()
  for (const { host, ...instance } of await readStoppedInstances(database, null)) {
    if (ranHere(instance)) counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  return counts
}

/** Active ones first, then stuck ones, which may need action. */
async function underWay(database: Database) {
  const page = { sort: 'started' as const, dir: 'asc' as const, offset: 0, limit: MIGRATIONS_SHOWN }
  const views = ['flight', 'waiting'] as const
  const found = await Promise.all(views.map((view) => listMigrations(database, { view, ...page })))
  return found.flatMap(({ rows }) => rows).slice(0, MIGRATIONS_SHOWN)
}

function heatRun(run: RunningOn | undefined): HeatRun | null {
  if (!run) return null
  const { id, kind, done, total } = run
  return { id, kind, done, total }
}

/** Amounts by class over the fleet; `heldTwice` is what migrations hold in addition to their instances. */
function capacityOf(hosts: readonly Host[], isQuiet: (host: Host) => boolean): OverviewView['capacity'] {
  const classes = new Set(
    hosts.flatMap(({ providers }) => providers.flatMap((p) => p.inventories.map((i) => i.resourceClass))),
  )
  const takes = (host: Host) => host.status === 'up' && host.scheduling === 'enabled' && !isQuiet(host)
  const open = hosts.filter(takes)
  const twice = migrationAmounts(hosts)
  return [...classes].sort().map((resourceClass) => {
    const shares = hosts.map((host) => classShare(host, resourceClass))
    const blocked = hosts.reduce((sum, host) => sum + blockedOn(host, resourceClass), 0)
    const used = shares.reduce((sum, share) => sum + share.used, blocked)
    const total = shares.reduce((sum, share) => sum + share.total, 0)
    const largestFree = open.reduce(
      (most, host) => Math.max(most, freeOn(host, resourceClass) - blockedOn(host, resourceClass)),
      0,
    )
    return { resourceClass, used, total, heldTwice: twice.get(resourceClass) ?? 0, largestFree }
  })
}
