import type { Change, Write } from '../books'
import type { Host } from '../host'
import type { Line } from '../rows'
import { splitKept } from '../storage/storage'

// Which providers a change raises: every one that it guards or whose rows it touches, children included, because a
// writer that read one of them before must be refused.

/** The part of a change that the records need; the rest is its trail. */
export type Applicable = Pick<Change, 'guards' | 'writes'>

/** Provider → the generation that a change raised it to. */
export type Raised = Readonly<Record<string, number>>

/** Those that the change itself names. */
export function raisedBy({ guards, writes }: Applicable): ReadonlySet<string> {
  return new Set([...guards.providers.map(({ provider }) => provider), ...writes.flatMap(providersOf)])
}

/** Of one host: those named, and those where consumers give back or exchange what they hold. */
export function raisedOn(host: Host, change: Applicable): ReadonlySet<string> {
  const named = raisedBy(change)
  const given = change.writes.flatMap((write) => givenBack(host, write))
  return new Set([...given, ...host.providers.flatMap(({ id }) => (named.has(id) ? [id] : []))])
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

/** Those that give back or exchange what they hold, wherever that lies. */
export function consumersOf(write: Write): readonly string[] {
  if (write.do === 'release') return [write.consumer]
  return write.do === 'exchange' ? [write.instance, write.migration] : []
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
