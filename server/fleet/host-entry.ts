import type { Change } from '../engine/change'
import type { Host } from '../engine/host'
import { hostAfter } from '../engine/ledger/on-host'
import { type RaisedGenerations, raisedOn } from '../engine/ledger/raised'
import type { Provider } from '../engine/resources/inventory'
import { type PreparedHost, prepareHost } from '../engine/topology/numa'

interface PendingChange {
  readonly change: Change
  readonly pending: { isLost: boolean }
  /** Its raised providers are marked as pending. */
  readonly after: Host
  /** Resolves when the database has answered, with whatever result, and the answer is applied. */
  readonly answered: Promise<void>
}

/**
 * One host in memory: as it is in the tables, and as it will be once pending changes are committed. The next claim is
 * decided on the latter, so claims for one host need not wait for each other's answers.
 */
export class HostEntry {
  #known: Host
  #expected: PendingChange[] = []
  #prepared: PreparedHost | null = null
  #timesRead = 0

  constructor(known: Host) {
    this.#known = known
  }

  get known(): Host {
    return this.#known
  }

  get timesRead(): number {
    return this.#timesRead
  }

  get ahead(): Host {
    return this.#expected.at(-1)?.after ?? this.#known
  }

  /** `ahead`, prepared for many checks. Only NUMA nodes that changed since the last one are recomputed. */
  get prepared(): PreparedHost {
    const { numaNodes, devices } = this.ahead
    if (this.#prepared?.numaNodes !== numaNodes || this.#prepared.devices !== devices) {
      this.#prepared = prepareHost(numaNodes, devices, this.#prepared)
    }
    return this.#prepared
  }

  get generation(): number {
    return this.#known.providers[0]?.generation ?? 0
  }

  /** Resolves when all changes that are pending now have been answered. */
  async answered(): Promise<void> {
    await Promise.all(this.#expected.map(({ answered }) => answered))
  }

  /** A change that was decided on something else than `ahead` is not expected to commit. */
  expect(change: Change, answered: Promise<void>): void {
    const raised = expectedRaise(this.ahead, change)
    const after = raised && applied(this.ahead, change, raised)
    if (!raised || !after) return
    const pending = { isLost: false }
    const providers = after.providers.map((each) => (raised[each.id] === undefined ? each : { ...each, pending }))
    this.#expected.push({ change, pending, after: { ...after, providers }, answered })
  }

  /** The change was committed. False when memory cannot follow and the host must be read again. */
  applyCommitted(change: Change, raised: RaisedGenerations): boolean {
    const root = raised[this.#known.id]
    if (root !== undefined && root <= this.generation) return true
    const [first] = this.#expected
    if (first?.change === change && agree(first.after, raised)) {
      this.#expected.shift()
      this.#known = { ...first.after, providers: first.after.providers.map(asCommitted) }
      return true
    }
    this.#lose()
    const after = applied(this.#known, change, raised)
    if (after) this.#known = after
    return after !== null
  }

  /** The change was not committed: nothing that was decided on top of it may be. */
  fail(change: Change): void {
    const at = this.#expected.findIndex((each) => each.change === change)
    if (at >= 0) this.#lose(at)
  }

  #lose(from = 0): void {
    for (const { pending } of this.#expected.splice(from)) pending.isLost = true
  }

  /** As read from the tables. Ignores a read older than the known state. */
  read(host: Host): void {
    const generation = host.providers[0]?.generation ?? 0
    if (generation < this.generation) return
    if (generation > this.generation) {
      this.#lose()
      this.#timesRead++
    } else if (this.#expected.length > 0) return
    this.#known = host
  }

  /** A sharing provider as it is now, with what all hosts hold of it. */
  share(provider: Host['providers'][number]): void {
    if (!this.#known.providers.some(({ id }) => id === provider.id)) return
    this.#lose()
    const providers = this.#known.providers.map((each) => (each.id === provider.id ? provider : each))
    this.#known = { ...this.#known, providers }
  }
}

const asCommitted = ({ pending: _, ...provider }: Provider): Provider => provider

/** Every generation of the snapshot that was raised is the one it was raised to. */
function agree(after: Host, raised: RaisedGenerations): boolean {
  return after.providers.every(({ id, generation }) => raised[id] === undefined || raised[id] === generation)
}

// Applies a change to memory. The tables stay authoritative: a change that cannot be applied exactly returns null and
// the host is reread.

/** The generations that a change raises to if it commits next; null when this snapshot cannot tell. */
function expectedRaise(host: Host, change: Change): RaisedGenerations | null {
  const raised: Record<string, number> = {}
  const touched = raisedOn(host, change)
  for (const { id, generation, pending } of host.providers) {
    const guard = change.guards.providers.find(({ provider }) => provider === id)
    const isOther = guard?.generation !== generation || guard.pending !== pending
    if (guard && guard.generation !== null && isOther) return null
    if (touched.has(id)) raised[id] = generation + 1
  }
  return raised
}

/** The host after the change. Null when a generation is not the successor of the known one: a write was missed. */
function applied(host: Host, change: Change, raised: RaisedGenerations): Host | null {
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
