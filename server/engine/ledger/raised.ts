import type { Change, Write } from '../change'
import type { Host } from '../host'
import type { Line } from '../rows'
import { splitKeptAmounts } from '../storage/storage'

// Which providers a change raises: every one that it guards or whose rows it touches, children included, because a
// client that read one of them must be refused when it writes what it read.

/** The part of a change that affects the records; the rest is for the audit log. */
export type Applicable = Pick<Change, 'guards' | 'writes'>

/** Provider → the generation that a change raised it to. */
export type RaisedGenerations = Readonly<Record<string, number>>

/** Providers that the change itself names. */
export function raisedBy({ guards, writes }: Applicable): ReadonlySet<string> {
  return new Set([...guards.providers.map(({ provider }) => provider), ...writes.flatMap(providersOf)])
}

/** On one host: those named, and those where consumers release or exchange what they hold. */
export function raisedOn(host: Host, change: Applicable): ReadonlySet<string> {
  const named = raisedBy(change)
  const freed = change.writes.flatMap((write) => freedProviders(host, write))
  return new Set([...freed, ...host.providers.flatMap(({ id }) => (named.has(id) ? [id] : []))])
}

function providersOf(write: Write): readonly string[] {
  switch (write.do) {
    case 'take':
      return [write.plan.host, ...write.plan.amounts.map(({ provider }) => provider)]
    case 'set-host':
      return [write.id]
    case 'note-remains':
    case 'clear-remains':
      return [write.host]
    case 'row':
      return providersOfLine(write.line)
    default:
      return []
  }
}

function providersOfLine(line: Line): readonly string[] {
  const root = line.host === null ? [] : [line.host]
  if (line.row === 'provider') return [...root, line.key.id]
  return 'provider' in line.key ? [...root, line.key.provider] : root
}

/** Consumers that release or exchange what they hold, on any host. */
export function consumersOf(write: Write): readonly string[] {
  if (write.do === 'release') return [write.consumer]
  return write.do === 'exchange' ? [write.instance, write.migration] : []
}

/** Providers on this host whose consumers release or exchange what they hold. */
function freedProviders(host: Host, write: Write): readonly string[] {
  const consumers = consumersOf(write)
  const held = host.holdings.filter(({ consumer }) => consumers.includes(consumer))
  if (held.length === 0) return []
  const kept = write.do === 'exchange' ? (write.keptAmounts ?? []) : []
  const freed = held.flatMap(({ body }) => splitKeptAmounts(body.amounts, kept).moves)
  return [host.id, ...freed.map(({ provider }) => provider)]
}
