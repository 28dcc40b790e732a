import type { Host } from '../engine/host'
import { readAuditNow } from '../store/finding'
import { countFindings } from '../store/finding-count'
import { countInstances } from '../store/instance-list'
import { countMigrations, listMigrations } from '../store/migration-list'
import { attentionOf } from './attention'
import type { OverviewView } from './contract-moves'
import { fleetNow, hostNotes } from './fleet-now'
import { migrationRows } from './migration-rows'
import { namesOf } from './names'
import { router, viewer } from './trpc'
import { classShare, heatCell, NO_TRAFFIC } from './views/host'

const MOVES_SHOWN = 50
const FAILED_SHOWN = 20
/** Failures older than this are history, not news. */
const FAILED_FOR_MS = 24 * 3600_000

export const overviewRouter = router({
  get: viewer.query(async ({ ctx }): Promise<OverviewView> => {
    const { services, caller } = ctx
    const { database, fleet } = services
    const hosts = fleet.hosts()
    const page = { offset: 0, limit: MOVES_SHOWN }
    const [now, counts, instanceCount, moves, failed, notes, audit, findings] = await Promise.all([
      fleetNow(services),
      countMigrations(database),
      countInstances(database),
      listMigrations(database, { view: 'flight', ...page }),
      listMigrations(database, { view: 'history', outcome: ['failed'], sort: 'ended', offset: 0, limit: FAILED_SHOWN }),
      hostNotes(services),
      readAuditNow(database),
      countFindings(database),
    ])
    const fresh = failed.rows.filter(({ endedAt }) => (endedAt ?? 0) > services.now() - FAILED_FOR_MS)
    const active = [...now.active.values()]
    const moving = [...active, ...fresh.map(({ migration }) => migration)].map((m) => m.instance)
    const names = await namesOf(services, [...moving, ...audit.byKind.flatMap(({ instance }) => instance ?? [])])
    return {
      hosts: hosts.map((host) => heatCell(host, now.traffic.get(host.id) ?? NO_TRAFFIC, findings.get(host.id) ?? 0)),
      hostCount: hosts.length,
      instanceCount,
      attention: attentionOf({ hosts, active, failed: fresh, notes, findings: audit.byKind, names }),
      moves: await migrationRows(services, moves.rows, caller.role),
      moveCounts: { flight: counts.flight - counts.queued, queued: counts.queued, waiting: counts.waiting },
      capacity: capacityOf(hosts),
      seq: now.seq,
    }
  }),
})

/** Room by class over the fleet; what migrations hold beside their instances is held a second time. */
function capacityOf(hosts: readonly Host[]): OverviewView['capacity'] {
  const classes = new Set(
    hosts.flatMap(({ providers }) => providers.flatMap((p) => p.inventories.map((i) => i.resourceClass))),
  )
  const twice = new Map<string, number>()
  for (const { consumerKind, body } of hosts.flatMap((host) => host.holdings)) {
    if (consumerKind !== 'migration') continue
    for (const { resourceClass, amount } of body.amounts)
      twice.set(resourceClass, (twice.get(resourceClass) ?? 0) + amount)
  }
  return [...classes].sort().map((resourceClass) => {
    const shares = hosts.map((host) => classShare(host, resourceClass))
    const used = shares.reduce((sum, share) => sum + share.used, 0)
    const total = shares.reduce((sum, share) => sum + share.total, 0)
    return { resourceClass, used, total, heldTwice: twice.get(resourceClass) ?? 0 }
  })
}
