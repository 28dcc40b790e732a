import { isDead } from '../engine/host'
import { buildFailed, built, deleted } from '../engine/lifecycle'
import type { HostId, InstanceId } from '../engine/words/ids'
import { isReadable } from '../engine/words/unreadable'
import { ask, type Effect, type InstanceView, type Tick, type TickResult } from './effects'
import { powerTick } from './power-tick'

// Runs a build, a deletion or a power request to its end. It needs no lease: driver operations carry the instance's
// generation as fence, and the generation guards the commit.

const RECHECK_MS = 5_000 // maximum delay until a returned host is noticed

export function* lifecycleTick(instance: InstanceId, owner: string): Tick {
  const view = yield* ask('instance', { instance })
  if (view === null || view.activeMigration !== null) return DONE
  if (!isReadable(view.instance) || !isReadable(view.host)) return yield* later()
  if (view.instance.vmState === 'building') return yield* build(view, owner)
  return view.instance.vmState === 'deleting' ? yield* destroy(view, owner) : yield* powerTick(view, owner)
}

const DONE: TickResult = { nextAt: null }

type LifecycleTick = Generator<Effect, TickResult, unknown>

function* build(view: InstanceView, owner: string): LifecycleTick {
  const { instance, host } = view
  const body = host?.holdings.find((holding) => holding.consumer === instance.id)?.body
  const fail = (why: string) =>
    commitChange(view, owner, (records, attribution) => buildFailed(records, attribution, why))
  if (host === null || body === undefined) return yield* fail('it has no claim on a host')
  if (isDead(host.status)) return yield* fail(`${host.name} is ${host.status}`)
  if (host.status === 'down') return yield* later()
  const { id, name, flavor, image, generation } = instance
  const order = { instance: id, name, host: host.id, flavor, image, claim: body, fence: generation }
  const answer = yield* ask('build', { order })
  if (answer.did === 'no-answer') return yield* later()
  if (answer.did === 'stale-fence') return DONE
  return yield* answer.did === 'done' ? commitChange(view, owner, built) : fail(answer.why)
}

function* destroy(view: InstanceView, owner: string): LifecycleTick {
  const { instance, host } = view
  if (host === null || isDead(host.status)) return yield* commitChange(view, owner, deleted)
  if (host.status === 'down') return yield* later()
  const records = { instance, held: view.held, nameOf: (id: HostId) => (id === host.id ? host.name : id) }
  if ((yield* ask('proof', { of: { is: 'deletion', records } })) !== null) return yield* later()
  const order = { instance: instance.id, host: host.id, fence: instance.generation }
  const answer = yield* ask('destroy', { order })
  if (answer.did !== 'done') return yield* later()
  return yield* commitChange(view, owner, deleted)
}

function* commitChange(view: InstanceView, owner: string, change: typeof built): LifecycleTick {
  const at = yield* ask('now', {})
  const actor = { who: `conductor ${owner}`, request: null, reason: null }
  const committed = yield* ask('commit', { change: change(view, { actor, at }) })
  if (!committed.ok && committed.conflict.on === 'law') return yield* later()
  return committed.ok ? DONE : { nextAt: at }
}

function* later(): LifecycleTick {
  return { nextAt: (yield* ask('now', {})) + RECHECK_MS }
}
