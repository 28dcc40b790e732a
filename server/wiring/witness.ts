import type { HostReading, HostWitness } from '../api/cloud/host-witness'
import type { HostDomain, HostDomains } from '../drivers/driver'
import type { Drivers } from '../drivers/registry'
import { joinHosts, type NamedHost } from '../engine/cloud/join'
import type { WitnessedDomain } from '../engine/cloud/snapshot'
import type { HostFrame } from '../engine/host'
import { parseCpuList } from '../engine/topology/cpu/cpu-list'
import type { HostId } from '../engine/words/ids'
import { within } from '../store/time/within'
import type { AskWitness } from '../watch/witness'

// What libvirt says on hosts that Nova manages. A connection reads the host that its libvirt says it is on.

type KnownHost = Pick<HostFrame, 'id' | 'name' | 'driver'>

interface WitnessParts {
  readonly drivers: Drivers
  readonly fleet: { hosts(): readonly KnownHost[] }
  /** Null when nobody answered. */
  readonly readHost: (host: HostId) => Promise<Omit<HostReading, 'at'> | null>
  /** Ms since the epoch. */
  now(): number
  readonly monotonicMs?: () => number
}

export interface CloudWitness {
  readonly ask: AskWitness
  /** Everything that libvirt says of one host, for whoever looks at it. */
  readonly read: (wanted: NamedHost) => Promise<HostWitness>
}

/** Longer than a host that answers needs; the others are looked at meanwhile. */
const ANSWER_LIMIT_MS = 10_000
/** A machine is not renamed often, and each answer that is used says its name again. */
const NAME_KEPT_MS = 600_000
/** One that did not say its name is asked again after this, by a look that waits no longer than the limit. */
const UNTOLD_KEPT_MS = 60_000
const NAME_LIMIT_MS = 2_000
/** Several people who look at one host are one question. */
const READING_KEPT_MS = 5_000

interface ToldName {
  /** Null: it did not say. */
  readonly name: string | null
  readonly at: number
}

export function openWitness(parts: WitnessParts): CloudWitness {
  const { drivers, fleet, monotonicMs = () => performance.now() } = parts
  const names = new Map<HostId, ToldName>()
  const readings = new Map<HostId, { readonly at: number; readonly reading: Promise<HostReading | null> }>()

  const note = (id: HostId, name: string | null) => {
    const before = names.get(id)
    // One that is silent now is still the machine that it was.
    names.set(id, { name: name ?? before?.name ?? null, at: monotonicMs() })
  }
  const isFresh = ({ name, at }: ToldName) => monotonicMs() - at < (name === null ? UNTOLD_KEPT_MS : NAME_KEPT_MS)

  /** All connections with the names of their machines. One that has never said it goes by its name in Berth. */
  async function connections() {
    const own = fleet.hosts().filter(({ driver }) => drivers[driver].domains !== undefined)
    const kept = new Set(own.map(({ id }) => id))
    for (const id of names.keys()) if (!kept.has(id)) names.delete(id)
    await Promise.all(
      own.map(async ({ id, driver }) => {
        const told = names.get(id)
        if (told !== undefined && isFresh(told)) return
        const asked = drivers[driver].hostname?.(id) ?? Promise.resolve(null)
        note(id, await within(NAME_LIMIT_MS, asked).catch(() => null))
      }),
    )
    return own.map((known) => ({ ...known, hostname: names.get(known.id)?.name ?? known.name }))
  }

  async function answerOf({ id, driver }: KnownHost): Promise<HostDomains | null> {
    const asked = drivers[driver].domains?.(id) ?? Promise.resolve(null)
    return within(ANSWER_LIMIT_MS, asked).catch(() => null)
  }

  async function ask(wanted: readonly NamedHost[]) {
    const own = await connections()
    if (own.length === 0) return new Map()
    const answers = [...joinHosts(wanted, own)].map(async ([host, known]) => {
      const said = await answerOf(known)
      if (said !== null) note(known.id, said.hostname)
      // Another machine answers there by now, which says nothing of this host.
      if (said !== null && !isNamed(wanted, host, said.hostname)) return []
      return [[host, said === null ? null : said.domains.map(witnessedOf)] as const]
    })
    return new Map((await Promise.all(answers)).flat())
  }

  function readingOf(id: HostId): Promise<HostReading | null> {
    const known = readings.get(id)
    if (known !== undefined && monotonicMs() - known.at < READING_KEPT_MS) return known.reading
    const at = parts.now()
    const reading = within(ANSWER_LIMIT_MS, parts.readHost(id))
      .then((read) => read && { ...read, at })
      .catch(() => null)
    for (const [other, { at: since }] of readings) if (monotonicMs() - since >= READING_KEPT_MS) readings.delete(other)
    readings.set(id, { at: monotonicMs(), reading })
    return reading
  }

  async function read(wanted: NamedHost): Promise<HostWitness> {
    const known = joinHosts([wanted], await connections()).get(wanted.host)
    if (known === undefined) return { did: 'unconnected' }
    const connection = { id: known.id, name: known.name }
    const reading = await readingOf(known.id)
    if (reading === null) return { did: 'silent', connection }
    note(known.id, reading.hostname)
    if (!isNamed([wanted], wanted.host, reading.hostname)) return { did: 'unconnected' }
    return { did: 'read', connection, reading }
  }

  return { ask, read }
}

const isNamed = (hosts: readonly NamedHost[], host: string, hostname: string): boolean =>
  joinHosts(
    hosts.filter((each) => each.host === host),
    [{ id: '', hostname }],
  ).has(host)

function witnessedOf({ uuid, name, state, pins }: HostDomain): WitnessedDomain {
  const read = [...(pins ?? [])].map(([guest, list]) => [guest, parseCpuList(list)] as const)
  const known = read.flatMap(([guest, cpus]) => (cpus === null ? [] : [[guest, cpus] as const]))
  // A list that is not read says nothing, and then nothing is judged by the others.
  const isRead = pins !== null && known.length === read.length
  return { instance: uuid, name, state, ...(isRead && { pins: new Map(known) }) }
}
