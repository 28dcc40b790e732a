import { isComplete } from '../../engine/cloud/facts'
import type { HostMapView } from '../host/map'
import type { Ref } from '../names/names'
import type { Ms } from '../plain'
import type { Clouds, WatchedCloud } from './clouds'
import { witnessedMap } from './host-map'
import type { HostReading } from './host-witness'
import { type CloudHostRow, factsKnown, hostRows } from './view'

// One host of a cloud: Nova's report, and libvirt's if there is a connection.

/** `connection`: the host in Berth whose libvirt reads it. */
export type CloudWitnessView =
  | { readonly did: 'unconnected' }
  | { readonly did: 'silent'; readonly connection: Ref }
  | {
      readonly did: 'read'
      readonly connection: Ref
      /** By Berth's clock. */
      readonly at: Ms
      readonly unreported: readonly string[]
    }

export interface CloudHostView {
  readonly row: CloudHostRow
  /** The machine's name on its hypervisor; null when Nova reports no hypervisor. */
  readonly node: string | null
  readonly witness: CloudWitnessView
  /** Why the audit ignores libvirt's report; null when it counts. */
  readonly whyIgnored: string | null
  readonly map: HostMapView | null
  /** Domains there without an instance in this cloud; null when unknown. */
  readonly unknownDomains: readonly Ref[] | null
  /** Instances without a task that Nova records there and that have no domain; null when unknown. */
  readonly missing: readonly Ref[] | null
}

type CloudState = NonNullable<WatchedCloud['state']>

export async function hostView(
  state: CloudState,
  host: string,
  { witness }: Pick<Clouds, 'witness'>,
): Promise<CloudHostView | null> {
  const row = hostRows(state).find(({ name }) => name === host)
  if (row === undefined) return null
  const node = factsKnown(state).nodesOf.get(host)?.[0]?.node ?? null
  const answer = await witness({ host, node: node ?? host })
  const audited = state.snapshot.domains.get(host)
  const seen = { row, node, whyIgnored: audited?.isRead === false ? audited.why : null }
  if (answer.did !== 'read') return { ...seen, witness: answer, map: null, unknownDomains: null, missing: null }
  const { reading, connection } = answer
  return {
    ...seen,
    witness: { did: 'read', connection, at: reading.at, unreported: reading.unreported },
    map: witnessedMap(reading, { host: connection, seq: String(reading.at), nameOf: namesIn(state) }),
    ...comparedWith(state, host, reading),
  }
}

/** A domain goes by its name in Nova; one that Nova does not know says so. */
function namesIn(state: CloudState): (domain: { readonly uuid: string; readonly name: string }) => string {
  const { servers, snapshot } = factsKnown(state)
  const isKnown = isComplete(snapshot.servers)
  return (domain) => {
    const server = servers.get(domain.uuid)
    return server?.name ?? (isKnown ? `${domain.name} (not in Nova)` : domain.name)
  }
}

function comparedWith(
  state: CloudState,
  host: string,
  { domains }: HostReading,
): Pick<CloudHostView, 'unknownDomains' | 'missing'> {
  const { servers, serversOn, snapshot } = factsKnown(state)
  if (domains === null || !isComplete(snapshot.servers)) return { unknownDomains: null, missing: null }
  const there = new Set(domains.map(({ uuid }) => uuid))
  return {
    unknownDomains: domains.flatMap(({ uuid: id, name }) => (servers.has(id) ? [] : [{ id, name }])),
    missing: (serversOn.get(host) ?? []).flatMap(({ id, name, taskState }) =>
      taskState !== null || there.has(id) ? [] : [{ id, name }],
    ),
  }
}
