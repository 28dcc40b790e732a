import type { Change } from '../engine/change'
import type { Host } from '../engine/host'
import { hostAfter } from '../engine/ledger/on-host'
import { type RaisedGenerations, raisedOn } from '../engine/ledger/raised'
import { type PreparedHost, prepareHost } from '../engine/topology/numa'

interface PendingChange {
  readonly change: Change
  readonly raised: RaisedGenerations
  readonly after: Host
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

  /** A change that was decided on something else than `ahead` is not expected to land. */
  expect(change: Change): void {
    const raised = expectedRaise(this.ahead, change)
    const after = raised && applied(this.ahead, change, raised)
    if (raised && after) this.#expected.push({ change, raised, after })
  }

  /** The change landed. False when memory cannot follow and the host must be read again. */
  land(change: Change, raised: RaisedGenerations): boolean {
    const root = raised[this.#known.id]
    if (root !== undefined && root <= this.generation) return true
    const [first] = this.#expected
    if (first?.change === change && agree(first.after, raised)) {
      this.#expected.shift()
      this.#known = first.after
      return true
    }
    this.#expected = []
    const after = applied(this.#known, change, raised)
    if (after) this.#known = after
    return after !== null
  }

  /** The change did not land: nothing that was decided on top of it will. */
  fail(): void {
    this.#expected = []
  }

  /** As read from the tables. Ignores a read older than the known state. */
  read(host: Host): void {
    const generation = host.providers[0]?.generation ?? 0
    if (generation < this.generation) return
    if (generation > this.generation) {
      this.#expected = []
      this.#timesRead++
    } else if (this.#expected.length > 0) return
    this.#known = host
  }

  /** A sharing provider as it is now, with what all hosts hold of it. */
  share(provider: Host['providers'][number]): void {
    if (!this.#known.providers.some(({ id }) => id === provider.id)) return
    this.#expected = []
    const providers = this.#known.providers.map((each) => (each.id === provider.id ? provider : each))
    this.#known = { ...this.#known, providers }
  }
}

/** Every generation of the snapshot that was raised is the one it was raised to. */
function agree(after: Host, raised: RaisedGenerations): boolean {
  return after.providers.every(({ id, generation }) => raised[id] === undefined || raised[id] === generation)
}

// Applies a change to memory. The tables stay authoritative: a change that cannot be applied exactly returns null and
// the host is reread.

/** The generations a change will raise to when it lands now; null when that cannot be known from this snapshot. */
function expectedRaise(host: Host, change: Change): RaisedGenerations | null {
  const raised: Record<string, number> = {}
  const touched = raisedOn(host, change)
  for (const { id, generation } of host.providers) {
    const guard = change.guards.providers.find(({ provider }) => provider === id)
    if (guard && guard.generation !== null && guard.generation !== generation) return null
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
