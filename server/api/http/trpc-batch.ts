import type { ErrorView } from '../refusal/view'

// How much one request may ask for. Calls of a batch begin together, so a batch is bounded twice: by how many calls it
// has, and by how much work they are for the whole fleet.

/** A page of the console sends at most 12 calls in one request. */
const CALLS_MAX = 50
/** Twelve of the costly ones are still let in. */
const COST_MAX = 60
const COSTLY = 5
/** Nouns whose procedures look at every host, or decide for each. */
const COSTLY_NOUNS: ReadonlySet<string> = new Set([
  ...['advice', 'bundle', 'capacity', 'heal', 'layout', 'move', 'past', 'run', 'search', 'why'],
])

/** The refusal of a batch that is too large; null when it may go on. */
export function batchRefusal({ pathname, searchParams }: URL, requestId: string): Response | null {
  if (searchParams.get('batch') !== '1') return null
  const calls = decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1)).split(',')
  if (calls.length > CALLS_MAX) return refused(requestId, `A batch has at most ${CALLS_MAX} calls.`)
  if (costOf(calls) > COST_MAX) return refused(requestId, 'The calls of this batch are too much work at once.')
  return null
}

function costOf(calls: readonly string[]): number {
  return calls.reduce((sum, call) => sum + (COSTLY_NOUNS.has(call.split('.', 1)[0] ?? '') ? COSTLY : 1), 0)
}

const TRPC_PAYLOAD_TOO_LARGE = -32013

function refused(requestId: string, what: string): Response {
  const berth: ErrorView = {
    ...{ requestId, code: 'input.too-large', what, where: null, refusals: [] },
    ...{ notChanged: 'Nothing was changed.', next: 'Send fewer calls in one batch.', transient: false },
  }
  const data = { code: 'PAYLOAD_TOO_LARGE', httpStatus: 413, berth }
  return Response.json({ error: { message: what, code: TRPC_PAYLOAD_TOO_LARGE, data } }, { status: 413 })
}
