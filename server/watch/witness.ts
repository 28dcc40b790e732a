import type { CloudSnapshot, Part, WitnessedDomain } from '../engine/cloud/snapshot'

// The third witness of a cloud's hosts, where somebody connected Berth to their libvirt as well.

/** Hosts by their names in Nova; a host that it knows nothing of has no row, one that did not answer has null. */
export type AskWitness = (
  hosts: readonly WitnessedHost[],
) => Promise<ReadonlyMap<string, readonly WitnessedDomain[] | null>>

export interface WitnessedHost {
  /** Nova's host name. */
  readonly host: string
  /** Name of its hypervisor. */
  readonly node: string
}

/** `now`: the cloud's clock. Dated by the moment before it was asked, so that nothing in it is older. */
export async function witnessedOf(
  { hypervisors }: Pick<CloudSnapshot, 'hypervisors'>,
  witness: AskWitness,
  now: () => number,
): Promise<CloudSnapshot['domains']> {
  if (!hypervisors.told) return new Map()
  const at = now()
  const answers = await witness(hypervisors.value.filter(({ type }) => type !== 'ironic'))
  return new Map(
    [...answers].map(([host, value]): [string, Part<readonly WitnessedDomain[]>] => [
      host,
      value === null ? { told: false, why: 'libvirt did not answer' } : { told: true, at, complete: true, value },
    ]),
  )
}
