import { heldText, serverEvidence } from '../../engine/cloud/evidence'
import { type CloudFacts, heldBy, hostOf, isComplete, rowsOf, timeOf } from '../../engine/cloud/facts'
import { progressOf } from '../../engine/cloud/history'
import { type DomainObservation, isLive, pinsOf, recordedPins } from '../../engine/cloud/pins'
import type { CloudServer, WitnessedDomain } from '../../engine/cloud/snapshot'
import { memoize } from '../../engine/memoize'
import { type Agreement, agreementOf, byAgreement, type ColumnValues } from '../drift/agreement'
import { shortId } from '../names/names'
import type { Ms } from '../plain'
import type { WatchedCloud } from './clouds'
import { factsKnown, findingsAbout } from './view'

// Three columns for one instance: the host in Nova, the allocations in Placement, and the domains in libvirt. Without a
// libvirt connection to the host, its column says so and is not compared. A host that was queried and did not answer is
// unknown. Times are by the cloud's clock.

/** One row of the drift of a cloud (N5). */
export interface CloudDriftRow {
  /** Uuid of the instance; of a consumer or a domain that Nova has no instance of. */
  readonly id: string
  readonly name: string
  /** Whether Nova has such an instance. */
  readonly isInstance: boolean
  /** Every host that any of the three names. */
  readonly hosts: readonly string[]
  readonly agreement: Agreement
  readonly nova: string
  readonly novaAt: Ms | null
  readonly placement: string
  readonly placementAt: Ms | null
  readonly libvirt: string
  readonly libvirtAt: Ms | null
  /** Whether a libvirt connection reads a host of it. */
  readonly isWitnessed: boolean
  readonly findings: number
}

type CloudState = NonNullable<WatchedCloud['state']>

interface Context {
  readonly state: CloudState
  readonly facts: CloudFacts
  readonly observed: ReadonlyMap<string, readonly DomainObservation[]>
}

/** Differences first, then by name. */
export const driftRows = memoize((state: CloudState): readonly CloudDriftRow[] => {
  const facts = factsKnown(state)
  const context = { state, facts, observed: observationsOf(facts) }
  const ids = new Set([...context.observed.keys(), ...facts.consumers.keys()])
  const isKnown = (id: string) => facts.servers.has(id) || facts.migrations.has(id)
  return [
    ...rowsOf(state.snapshot.servers).map((server) => instanceRow(server, context)),
    ...[...ids].filter((id) => !isKnown(id)).map((id) => unrecordedRow(id, context)),
  ].sort((a, b) => byAgreement(a, b) || BY_NAME.compare(a.name, b.name))
})

const BY_NAME = new Intl.Collator('en', { numeric: true })

function observationsOf({ snapshot }: CloudFacts): Context['observed'] {
  const seen = new Map<string, DomainObservation[]>()
  for (const [host, answer] of snapshot.domains) {
    if (!answer.isRead) continue
    for (const domain of answer.value) {
      const known = seen.get(domain.instance) ?? []
      seen.set(domain.instance, known)
      known.push({ host, domain, at: answer.at })
    }
  }
  return seen
}

function instanceRow(server: CloudServer, context: Context): CloudDriftRow {
  const { facts, observed: seen, state } = context
  const observed = seen.get(server.id) ?? []
  const moving = migrationsOf(facts, server)
  const hosts = new Set(
    [server.host, ...moving.hosts, ...observed.map(({ host }) => host)].filter((each) => each !== null),
  )
  const holders = [server.id, ...moving.consumers].map((id) => heldBy(facts, id))
  const held = holders[0] ?? null
  const holding = placesHeld(facts, holders)
  const own = observed.find(({ host }) => host === server.host)?.domain ?? null
  const pins = recordedPins(facts, server.id)
  const { says, at } = serverEvidence(facts, server)
  const findings = findingsAbout(state, server.id)
  const subjects = [
    [server.host ?? NOWHERE, ...reportedPlaces(server, { holding, observed, hosts, context, moving })],
    ...(moving.isActive ? [] : [power(facts, server, own), sameCpus(pins, own)]),
  ]
  return {
    ...{ id: server.id, name: server.name, isInstance: true },
    hosts: [...new Set([...hosts, ...(holding ?? [])])].sort(),
    agreement: agreementOf(subjects, Array.from({ length: findings })),
    nova: pins === null ? says : `${says}, pinned ${pinsOf(pins)}`,
    novaAt: at,
    placement: held === null ? 'not read' : heldText(held.parts),
    placementAt: held?.at ?? null,
    ...describeLibvirt(hosts, observed, context),
    findings,
  }
}

const NOWHERE = 'nowhere'

interface ServerMigrations {
  readonly isActive: boolean
  /** Hosts of its migrations. */
  readonly hosts: readonly (string | null)[]
  /** Migrations that may hold its other side. */
  readonly consumers: readonly string[]
}

function migrationsOf(facts: CloudFacts, server: CloudServer): ServerMigrations {
  const active = (facts.migrationsOf.get(server.id) ?? []).filter((each) => progressOf(facts, each) !== null)
  return {
    isActive: active.length > 0 || server.taskState !== null || server.vmState === 'resized',
    hosts: active.flatMap(({ sourceHost, targetHost }) => [sourceHost, targetHost]),
    consumers: active.map(({ uuid }) => uuid),
  }
}

/** Hosts with allocations of it; null when they were not read. */
function placesHeld(facts: CloudFacts, holders: readonly ReturnType<typeof heldBy>[]): readonly string[] | null {
  if (holders.some((held) => held === null)) return null
  const hosts = holders.flatMap((held) => (held?.parts ?? []).flatMap(({ provider }) => hostOf(facts, provider) ?? []))
  return [...new Set(hosts)].sort()
}

interface Places {
  readonly holding: readonly string[] | null
  readonly observed: readonly DomainObservation[]
  readonly hosts: ReadonlySet<string>
  readonly context: Context
  readonly moving: ServerMigrations
}

/**
 * The hosts of the instance in Placement and libvirt. During a migration it may be on either side, on both, or on
 * neither.
 */
function reportedPlaces({ host }: CloudServer, { holding, observed, hosts, context, moving }: Places): ColumnValues {
  const recorded = host ?? NOWHERE
  const isExpected = (places: readonly string[]) =>
    places.length === 0 || host === null || places.some((place) => place === host || moving.hosts.includes(place))
  const one = (places: readonly string[]) =>
    moving.isActive && isExpected(places) ? recorded : places.join(' ') || NOWHERE
  const placement = holding === null ? null : one(holding)
  const { domains } = context.facts.snapshot
  const live = observed.filter(({ domain }) => isLive(domain)).map((each) => each.host)
  if (live.length === 0 && (host === null || !domains.has(host))) return [placement]
  const stopped = observed.filter((each) => each.host === host).map((each) => each.host)
  const isSilent = [...hosts].some((each) => domains.get(each)?.isRead === false)
  const shown = live.length > 0 ? live : stopped
  // It may also exist on a host that did not answer.
  if (shown.length === 0 && isSilent) return [placement, null]
  return [placement, one(shown.toSorted()), ...(isSilent ? [null] : [])]
}

type Runs = 'runs' | 'paused' | 'off'

/** Nova's power states that count. Suspended instances are saved to disk, so libvirt shows them as shut off. */
const RECORDED: Readonly<Record<number, Runs>> = { 1: 'runs', 3: 'paused', 4: 'off', 6: 'off', 7: 'off' }
const SHOWN: Readonly<Record<WitnessedDomain['state'], Runs | null>> = {
  running: 'runs',
  paused: 'paused',
  'shut off': 'off',
  crashed: 'off',
  other: null,
}

function power({ nodesOf }: CloudFacts, { host, powerState }: CloudServer, own: WitnessedDomain | null): ColumnValues {
  const isFake = (nodesOf.get(host ?? '') ?? []).some(({ type }) => type === 'fake')
  return own === null || isFake ? [] : [RECORDED[powerState] ?? null, SHOWN[own.state]]
}

/** Compared when Nova has pinned it and it runs. */
const sameCpus = (recorded: ReturnType<typeof recordedPins>, own: WitnessedDomain | null): ColumnValues =>
  recorded === null || own?.state !== 'running'
    ? []
    : [pinsOf(recorded), own.pins === undefined ? null : pinsOf(own.pins)]

/** Consumers and domains that Nova does not know. */
function unrecordedRow(id: string, context: Context): CloudDriftRow {
  const { facts, observed: seen, state } = context
  const { servers } = facts.snapshot
  const observed = seen.get(id) ?? []
  const held = heldBy(facts, id)
  const holding = placesHeld(facts, [held])
  const shown = observed.map(({ host }) => host).sort()
  const findings = findingsAbout(state, id)
  // Another client may own an unknown consumer, so only a domain is a difference, not an allocation.
  const isDomain = shown.length > 0
  const subject = [isComplete(servers) ? NOWHERE : null, isDomain ? shown.join(' ') : null]
  return {
    ...{ id, name: observed[0]?.domain.name ?? shortId(id), isInstance: false },
    hosts: [...new Set([...shown, ...(holding ?? [])])].sort(),
    agreement: agreementOf([subject], Array.from({ length: findings })),
    nova: isComplete(servers) ? 'no such instance' : 'not in Nova’s answer, which was incomplete',
    novaAt: timeOf(servers),
    placement: held === null ? 'not read' : heldText(held.parts),
    placementAt: held?.at ?? null,
    ...(isDomain
      ? describeLibvirt(new Set(shown), observed, context)
      : { libvirt: 'no domain on hosts that are read', libvirtAt: null, isWitnessed: false }),
    findings,
  }
}

/** For every involved host: the report, or why there is none. */
function describeLibvirt(
  hosts: ReadonlySet<string>,
  observed: readonly DomainObservation[],
  { facts }: Context,
): Pick<CloudDriftRow, 'libvirt' | 'libvirtAt' | 'isWitnessed'> {
  const { domains } = facts.snapshot
  const lines = [...hosts].sort().map((host) => {
    const answer = domains.get(host)
    if (answer === undefined) return `no libvirt connection reads ${host}`
    if (!answer.isRead) return `${host}: ${answer.why}`
    const here = observed.filter((each) => each.host === host)
    return here.length === 0 ? `no domain on ${host}` : here.map(({ domain }) => domainSays(domain, host)).join('; ')
  })
  const times = [...hosts].flatMap((host) => {
    const answer = domains.get(host)
    return answer?.isRead ? [answer.at] : []
  })
  return {
    libvirt: lines.join('; ') || 'on no host',
    libvirtAt: times.length === 0 ? null : Math.min(...times),
    isWitnessed: times.length > 0,
  }
}

/** A domain that may run on any CPU of a set is not pinned in Nova's sense. */
function domainSays({ state, pins }: WitnessedDomain, host: string): string {
  const isPinned = pins !== undefined && pins.size > 0 && [...pins.values()].every((cpus) => cpus.length === 1)
  return `${state} on ${host}${isPinned ? `, pinned ${pinsOf(pins)}` : ''}`
}
