import type { Change, Write } from '../engine/books'
import { withClaim, withExchange, withoutHolding } from '../engine/holdings'
import type { Host } from '../engine/host'
import { splitKept } from '../engine/storage/storage'
import { consumersOf, raisedBy } from '../store/commit/change-row'

// What a change makes of a host in memory. The tables stay the truth: whatever cannot be followed exactly answers null
// and is read again.

/** Provider → generation after the change, as the store answered it or as it will be when the change lands. */
export type Raised = Readonly<Record<string, number>>

/** Hosts (and other providers) that the change names. What it touches besides, the store's answer names. */
export function namedBy({ guards, writes }: Change): ReadonlySet<string> {
  const named = new Set<string>(guards.providers.map(({ provider }) => provider))
  for (const write of writes) {
    if (write.do === 'take') named.add(write.plan.host)
    if (write.do === 'set-host') named.add(write.id)
    if (write.do === 'note-remains' || write.do === 'clear-remains') named.add(write.host)
    if (write.do === 'row' && write.line.host !== null) named.add(write.line.host)
  }
  return named
}

/** The generations a change will raise to when it lands now; null when that cannot be known from this snapshot. */
export function expectedRaise(host: Host, change: Change): Raised | null {
  const raised: Record<string, number> = {}
  const touched = new Set([...raisedBy(change), ...change.writes.flatMap((write) => givenBack(host, write))])
  for (const { id, generation } of host.providers) {
    const guard = change.guards.providers.find(({ provider }) => provider === id)
    if (guard && guard.generation !== null && guard.generation !== generation) return null
    if (touched.has(id)) raised[id] = generation + 1
  }
  return raised
}

/** Providers of what consumers hold here that give it back or exchange it. */
function givenBack(host: Host, write: Write): readonly string[] {
  const consumers = consumersOf(write)
  const held = host.holdings.filter(({ consumer }) => consumers.includes(consumer))
  if (held.length === 0) return []
  const kept = write.do === 'exchange' ? (write.kept ?? []) : []
  const given = held.flatMap(({ body }) => splitKept(body.amounts, kept).moves)
  return [host.id, ...given.map(({ provider }) => provider)]
}

/** The host after the change. Null when a generation does not follow on the one known: something came between. */
export function applied(host: Host, change: Change, raised: Raised): Host | null {
  if (change.writes.some((write) => cannotFollow(host, write))) return null
  for (const { id, generation } of host.providers) {
    const now = raised[id]
    if (now !== undefined && now !== generation + 1) return null
  }
  let after = host
  for (const write of change.writes) after = written(after, write)
  const providers = after.providers.map((provider) => {
    const generation = raised[provider.id]
    return generation === undefined ? provider : { ...provider, generation }
  })
  return { ...after, providers }
}

// Remains are counted per instance here and listed per move there; rows may change anything.
const cannotFollow = (host: Host, write: Write): boolean =>
  (write.do === 'clear-remains' && write.host === host.id) || (write.do === 'row' && write.line.host === host.id)

function written(host: Host, write: Write): Host {
  switch (write.do) {
    case 'take': {
      if (write.plan.host !== host.id) return host
      const { claim, consumer, consumerKind, instance, plan } = write
      return withClaim(host, { claim, consumer, consumerKind, instance }, plan)
    }
    case 'release':
      return host.holdings
        .filter(({ consumer }) => consumer === write.consumer)
        .reduce((rest, { claim }) => withoutHolding(rest, claim), host)
    case 'exchange':
      return withExchange(host, write)
    case 'set-host': {
      if (write.id !== host.id) return host
      const { truth = host.truth, admission = host.admission, memory = host.memory } = write.set
      return { ...host, truth, admission, memory }
    }
    case 'note-remains':
      if (write.host !== host.id || host.remains.includes(write.instance)) return host
      return { ...host, remains: [...host.remains, write.instance] }
    default:
      return host
  }
}
