import { randomUUID } from 'node:crypto'
import type { Actor } from '../engine/books'
import { accept, type MoveRequest } from '../engine/migration/begin'
import { type InstanceId, parseMigrationId } from '../engine/words/ids'
import { commit } from '../store/commit'
import type { Database } from '../store/database'
import { readInstanceView } from '../store/migration-view'
import { demoFleet } from './demo-fleet'
import { DEMO_FLAVORS } from './demo-guests'
import { hostIdOf, instanceIdOf } from './host-spec'
import { type RegisterDoors, registerFleet } from './register'

// What a person sees on the first day: a fleet at work, a live move that does not converge, a resize that waits to be
// confirmed, and one host that has stopped answering. All of it through the doors that everything else goes through.

export interface FirstStartDoors extends Omit<RegisterDoors, 'actor' | 'progress'> {
  readonly simulator: {
    setFault(host: ReturnType<typeof hostIdOf>, fault: { readonly do: 'go-silent' }): Promise<void>
    setDirtyRate(instance: InstanceId, bytesPerS: number): Promise<void>
  }
  readonly confirmWindowMs: number | null
  /** How large the fleet is; without it a small one that one sees at a glance. */
  readonly size?: { readonly hosts: number; readonly guests: number }
}

const ACTOR: Actor = { who: 'demo', request: null, reason: 'first start of the demo fleet' }
const BUSY_GUEST = instanceIdOf('db-01')
const BUSY_BYTES_PER_S = 1_400_000_000 // faster than a 10 Gbit/s link carries away, so that it never converges
const GROWING_GUEST = instanceIdOf('web-02')
const SILENT_HOST = hostIdOf('std-07')

/** Fills an empty database and answers true; leaves one with hosts alone. */
export async function firstStart(doors: FirstStartDoors): Promise<boolean> {
  const { database, simulator } = doors
  if ((await database.prisma.host.count()) > 0) return false
  await registerFleet(demoFleet(doors.size?.hosts, doors.size?.guests), { ...doors, actor: ACTOR, progress: () => {} })
  await simulator.setDirtyRate(BUSY_GUEST, BUSY_BYTES_PER_S)
  const same = { target: null, newFlavor: null, newImage: null }
  await start(doors, BUSY_GUEST, () => ({ ...same, operation: 'live-migrate' }))
  const larger = DEMO_FLAVORS.find((flavor) => flavor.name === 's1.large') ?? null
  // On its own host: it shows two holdings side by side, and the scheduler might send it to the one that is silent.
  await start(doors, GROWING_GUEST, (host) => ({ ...same, operation: 'resize', target: host, newFlavor: larger }))
  await simulator.setFault(SILENT_HOST, { do: 'go-silent' })
  return true
}

async function start(
  { database, at, confirmWindowMs }: { database: Database; at: number; confirmWindowMs: number | null },
  instance: InstanceId,
  request: (host: MoveRequest['target']) => MoveRequest,
): Promise<void> {
  const ground = await readInstanceView(database, instance)
  const id = parseMigrationId(randomUUID())
  if (ground === null || id === null) return
  const terms = { id, sameDemand: () => false, confirmWindowMs, actor: ACTOR, at }
  const accepted = accept(ground, request(ground.instance.host), terms)
  if (accepted.ok) await commit(database, accepted.change)
}
