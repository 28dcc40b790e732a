import type { HostReading, HostWitness } from '../api/cloud/host-witness'
import type { HostDomain } from '../drivers/driver'
import type { Drivers } from '../drivers/registry'
import { joinHosts, type NamedHost } from '../engine/cloud/join'
import type { WitnessedDomain } from '../engine/cloud/snapshot'
import type { HostFrame } from '../engine/host'
import { parseCpuList } from '../engine/topology/cpu/cpu-list'
import type { HostId } from '../engine/words/ids'
import { cancelAfter, withTimeout } from '../store/time/with-timeout'
import type { WitnessReader } from '../watch/witness'

// Reports of libvirt on hosts that Nova manages. A connection reads the host that its libvirt says it is on.

type KnownHost = Pick<HostFrame, 'id' | 'name' | 'driver'>

interface WitnessParts {
  readonly drivers: Drivers
  readonly fleet: { hosts(): readonly KnownHost[] }
  /** Null when there was no answer. */
  readonly readHost: (host: HostId, signal: AbortSignal) => Promise<Omit<HostReading, 'at'> | null>
  /** Ms since the epoch. */
  now(): number
  readonly monotonicMs?: () => number
}

export interface CloudWitness {
  readonly ask: WitnessReader
  /** Everything that libvirt reports on one host, for its page. */
  readonly read: (wanted: NamedHost) => Promise<HostWitness>
}

/** Longer than a host needs to answer; the others are read meanwhile. */
const ANSWER_LIMIT_MS = 10_000
/** Hosts are rarely renamed, and every answer used repeats the name. */
const NAME_TTL_MS = 600_000
/** A connection that gave no name is queried again after this, without waiting longer than the limit. */
const UNNAMED_RETRY_MS = 60_000
const NAME_LIMIT_MS = 2_000
const READING_TTL_MS = 5_000

type Clock = () => number

export function openWitness(parts: WitnessParts): CloudWitness {
  const { drivers, monotonicMs = () => performance.now() } = parts
  const names = new MachineNames(parts, monotonicMs)
  const readingOf = readOnce(parts, monotonicMs)
  return {
    ask: async (wanted) => {
      const answers = [...joinHosts(wanted, await names.connections())].map(async ([host, known]) => {
        const { domains = async () => null } = drivers[known.driver]
        const witness = await cancelAfter(ANSWER_LIMIT_MS, (signal) => domains(known.id, signal)).catch(() => null)
        if (witness === null) return [[host, null] as const]
        names.note(known.id, witness.hostname)
        // Another machine answers there now, so the answer says nothing about this host.
        return isNamed(wanted, host, witness.hostname) ? [[host, witness.domains.map(witnessedOf)] as const] : []
      })
      return new Map((await Promise.all(answers)).flat())
    },
    read: async (wanted) => {
      const known = joinHosts([wanted], await names.connections()).get(wanted.host)
      if (known === undefined) return { did: 'unconnected' }
      const connection = { id: known.id, name: known.name }
      const reading = await readingOf(known.id)
      if (reading === null) return { did: 'silent', connection }
      names.note(known.id, reading.hostname)
      if (!isNamed([wanted], wanted.host, reading.hostname)) return { did: 'unconnected' }
      return { did: 'read', connection, reading }
    },
  }
}

/** The host names of machines, by the connections that reach them. */
class MachineNames {
  /** `name` null: it has never reported one. */
  readonly #names = new Map<HostId, { readonly name: string | null; readonly at: number }>()
  readonly #parts: WitnessParts
  readonly #clock: Clock

  constructor(parts: WitnessParts, clock: Clock) {
    this.#parts = parts
    this.#clock = clock
  }

  /** A connection that does not answer now still reaches the same machine. */
  note(id: HostId, name: string | null): void {
    this.#names.set(id, { name: name ?? this.#names.get(id)?.name ?? null, at: this.#clock() })
  }

  /** Every connection with the name of its machine. One that never reported a name goes by its name in Berth. */
  async connections(): Promise<readonly (KnownHost & { readonly hostname: string })[]> {
    const { drivers, fleet } = this.#parts
    const own = fleet.hosts().filter(({ driver }) => drivers[driver].domains !== undefined)
    const kept = new Set(own.map(({ id }) => id))
    for (const id of this.#names.keys()) if (!kept.has(id)) this.#names.delete(id)
    await Promise.all(own.filter(({ id }) => !this.#isFresh(id)).map((known) => this.#learn(known)))
    return own.map((known) => ({ ...known, hostname: this.#names.get(known.id)?.name ?? known.name }))
  }

  #isFresh(id: HostId): boolean {
    const known = this.#names.get(id)
    return known !== undefined && this.#clock() - known.at < (known.name === null ? UNNAMED_RETRY_MS : NAME_TTL_MS)
  }

  async #learn({ id, driver }: KnownHost): Promise<void> {
    const asked = this.#parts.drivers[driver].hostname?.(id) ?? Promise.resolve(null)
    this.note(id, await withTimeout(NAME_LIMIT_MS, asked).catch(() => null))
  }
}

/** Concurrent readers of one host share one query. */
function readOnce({ readHost, now }: WitnessParts, clock: Clock): (id: HostId) => Promise<HostReading | null> {
  const readings = new Map<HostId, { readonly since: number; readonly reading: Promise<HostReading | null> }>()
  return (id) => {
    for (const [other, { since }] of readings) if (clock() - since >= READING_TTL_MS) readings.delete(other)
    const known = readings.get(id)
    if (known !== undefined) return known.reading
    const at = now()
    const reading = cancelAfter(ANSWER_LIMIT_MS, (signal) => readHost(id, signal))
      .then((read) => read && { ...read, at })
      .catch(() => null)
    readings.set(id, { since: clock(), reading })
    return reading
  }
}

const isNamed = (hosts: readonly NamedHost[], host: string, hostname: string): boolean =>
  joinHosts(
    hosts.filter((each) => each.host === host),
    [{ id: '', hostname }],
  ).has(host)

function witnessedOf({ uuid, name, state, pins }: HostDomain): WitnessedDomain {
  const read = [...(pins ?? [])].map(([vcpu, list]) => [vcpu, parseCpuList(list)] as const)
  const known = read.flatMap(([vcpu, cpus]) => (cpus === null ? [] : [[vcpu, cpus] as const]))
  // A list that could not be read says nothing, so the others are not judged by it.
  const isRead = pins !== null && known.length === read.length
  return { instance: uuid, name, state, ...(isRead && { pins: new Map(known) }) }
}
