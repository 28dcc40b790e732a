import type { PowerAnswer, PowerOrder } from '../drivers/driver'
import { type Host, isDead } from '../engine/host'
import { openRequest, type PowerRequest, powerDone, powerFailed, powerPostponed } from '../engine/power/request'
import { ask, type Effect, type InstanceView, type TickResult } from './effects'

// Carries out one power request of an instance. It needs no lease, as builds and deletes need none: the driver
// operation is an ensure that bears the instance's generation as fence, and the generation guards the commit.

const POLL_MS = 1_000 // while an instance shuts down
const HOST_RECHECK_MS = 5_000 // a host that does not answer

export type PowerTick = Generator<Effect, TickResult, unknown>

export function* powerTick(view: InstanceView, owner: string): PowerTick {
  const { instance, host } = view
  const request = openRequest(instance)
  if (request === null) return DONE
  const at = yield* ask('now', {})
  const postponed = powerPostponed(view, { request, by: `conductor ${owner}`, at })
  if (postponed !== null) {
    yield* ask('commit', { change: postponed })
    return { nextAt: at }
  }
  if (host === null || isDead(host.status))
    return yield* failed(view, { request, owner, why: 'its host is fenced or permanently lost' })
  if (host.status === 'down')
    return yield* later({ view, request, owner, why: `${host.name} is down` }, HOST_RECHECK_MS)
  const { action } = request
  const hard = action !== 'stop' || at >= request.hardAt
  const order: PowerOrder = {
    instance: instance.id,
    host: host.id,
    fence: instance.generation,
    action,
    at: request.at,
    hard,
  }
  const answer = yield* ask('power', { order })
  return yield* concluded({ view, request, owner, why: whyOf(answer, host) }, answer)
}

const DONE: TickResult = { nextAt: null }

interface PowerAttempt {
  readonly view: InstanceView
  readonly request: PowerRequest
  readonly owner: string
  readonly why: string
}

/** Drivers know hosts by id, users by name. */
const whyOf = (answer: PowerAnswer, { id, name }: Host): string =>
  'why' in answer ? answer.why.replaceAll(id, name) : 'the guest does not shut down'

function* concluded(course: PowerAttempt, answer: PowerAnswer): PowerTick {
  const { view, request, owner } = course
  switch (answer.did) {
    case 'done': {
      const at = yield* ask('now', {})
      const committed = yield* ask('commit', { change: powerDone(view, { request, by: `conductor ${owner}`, at }) })
      if (!committed.ok) return { nextAt: at }
      // The screens and the audit must not wait a minute for a known result.
      if (view.host !== null) yield* ask('observe', { host: view.host.id })
      return DONE
    }
    case 'under-way':
      return yield* later(course, POLL_MS)
    case 'failed':
      // An instance whose guest ignores the power button is powered off at the timeout.
      if (request.action === 'stop') return yield* later(course, POLL_MS)
      return yield* failed(view, course)
    case 'no-answer':
      return yield* later(course, HOST_RECHECK_MS)
    case 'stale-fence':
      return DONE
    default:
      return answer satisfies never
  }
}

/** Retries until the request times out. */
function* later(course: PowerAttempt, waitMs: number): PowerTick {
  const now = yield* ask('now', {})
  if (now >= course.request.dueAt) return yield* failed(course.view, course)
  return { nextAt: Math.min(now + waitMs, course.request.dueAt) }
}

function* failed(view: InstanceView, { request, owner, why }: Omit<PowerAttempt, 'view'>): PowerTick {
  const at = yield* ask('now', {})
  const change = powerFailed(view, { request, by: `conductor ${owner}`, at }, why)
  const committed = yield* ask('commit', { change })
  return committed.ok ? DONE : { nextAt: at }
}
