import { randomUUID } from 'node:crypto'
import type { Actor } from '../engine/change'
import { decide } from '../engine/claim'
import { demandOf, type Flavor } from '../engine/demand'
import { accept, type MigrationRequest } from '../engine/migration/accept'
import { questionOf } from '../engine/migration/question'
import { type InstanceId, parseMigrationId } from '../engine/words/ids'
import { commit } from '../store/commit/commit'
import type { Database } from '../store/database/database'
import { readInstanceView } from '../store/migration/view'
import { demoFleet } from './demo-fleet'
import { DEMO_FLAVORS } from './demo-instances'
import { hostIdOf, instanceIdOf } from './host-spec'
import { type RegisterServices, registerFleet } from './register'

// What the first start shows: a fleet in use, a live migration that does not converge, a resize that awaits confirm or
// revert, and a host that does not answer. All of it is requested the same way as everything else.

export interface FirstStartServices extends Omit<RegisterServices, 'actor' | 'progress'> {
  readonly simulator: {
    setFault(host: ReturnType<typeof hostIdOf>, fault: { readonly do: 'go-silent' }): Promise<void>
    setDirtyRate(instance: InstanceId, bytesPerS: number): Promise<void>
  }
  readonly confirmWindowMs: number | null
  /** The size of the fleet; small by default, so that it is easy to survey. */
  readonly size?: { readonly hosts: number; readonly instances: number }
}

const ACTOR: Actor = { who: 'demo', request: null, reason: 'first start of the demo fleet' }
const BUSY_INSTANCE = instanceIdOf('db-01')
const BUSY_BYTES_PER_S = 1_400_000_000 // faster than a 10 Gbit/s link copies it, so that it never converges
/** Candidates for the resize: the first one whose host has room for both sizes, as few hosts of a full fleet have. */
const MAY_GROW = Array.from({ length: 40 }, (_, n) => instanceIdOf(`web-${String(n + 2).padStart(2, '0')}`))
const SILENT_HOST = hostIdOf('std-07')

/** Fills a database without hosts and returns true; does not touch any other. */
export async function firstStart(services: FirstStartServices): Promise<boolean> {
  const { database, simulator } = services
  if ((await database.prisma.host.count()) > 0) return false
  await registerFleet(demoFleet(services.size?.hosts, services.size?.instances), {
    ...services,
    actor: ACTOR,
    progress: () => {},
  })
  await simulator.setDirtyRate(BUSY_INSTANCE, BUSY_BYTES_PER_S)
  const same = { target: null, newFlavor: null, newImage: null }
  await start(services, BUSY_INSTANCE, () => ({ ...same, operation: 'live-migrate' }))
  const larger = DEMO_FLAVORS.find((flavor) => flavor.name === 's1.large')
  const grows = larger && (await growing(database, larger))
  // On its own host: this shows two claims side by side, and the scheduler might choose the host that goes silent.
  if (grows) await start(services, grows, (host) => ({ ...same, operation: 'resize', target: host, newFlavor: larger }))
  await simulator.setFault(SILENT_HOST, { do: 'go-silent' })
  return true
}

async function growing(database: Database, larger: Flavor): Promise<InstanceId | null> {
  for (const instance of MAY_GROW) {
    const view = await readInstanceView(database, instance)
    if (!view?.host) continue
    const result = demandOf(larger, view.instance.image, {})
    if (!result.ok) return null
    const resize = { operation: 'resize', instance: view.instance, source: view.host, group: null } as const
    const migration = questionOf({ ...resize, demand: result.demand })
    if (migration.ok && decide({ ...migration.question, host: view.host, verdictOnly: true }).ok) return instance
  }
  return null
}

async function start(
  { database, at, confirmWindowMs }: { database: Database; at: number; confirmWindowMs: number | null },
  instance: InstanceId,
  request: (host: MigrationRequest['target']) => MigrationRequest,
): Promise<void> {
  const view = await readInstanceView(database, instance)
  const id = parseMigrationId(randomUUID())
  if (view === null || id === null) return
  const terms = { id, sameDemand: () => false, confirmWindowMs, actor: ACTOR, at }
  const accepted = accept(view, request(view.instance.host), terms)
  if (accepted.ok) await commit(database, accepted.change)
}
