import type { Change } from '../engine/books'
import type { Host } from '../engine/host'
import { hostAfter } from '../engine/ledger/on-host'
import { type Raised, raisedOn } from '../engine/ledger/raised'

// How the memory of one host follows a change. The tables stay the truth: whatever cannot be followed exactly answers
// null and is read again.

/** The generations a change will raise to when it lands now; null when that cannot be known from this snapshot. */
export function expectedRaise(host: Host, change: Change): Raised | null {
  const raised: Record<string, number> = {}
  const touched = raisedOn(host, change)
  for (const { id, generation } of host.providers) {
    const guard = change.guards.providers.find(({ provider }) => provider === id)
    if (guard && guard.generation !== null && guard.generation !== generation) return null
    if (touched.has(id)) raised[id] = generation + 1
  }
  return raised
}

/** The host after the change. Null when a generation does not follow on the one known: something came between. */
export function applied(host: Host, change: Change, raised: Raised): Host | null {
  for (const { id, generation } of host.providers) {
    const now = raised[id]
    if (now !== undefined && now !== generation + 1) return null
  }
  let after: Host | null = host
  for (const write of change.writes) {
    after = hostAfter(after, write)
    if (after === null) return null
  }
  const providers = after.providers.map((provider) => {
    const generation = raised[provider.id]
    return generation === undefined ? provider : { ...provider, generation }
  })
  return { ...after, providers }
}
