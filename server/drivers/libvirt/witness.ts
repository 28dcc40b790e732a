import type { HostId } from '../../engine/words/ids'
import type { HostDomain, HostDomains } from '../driver'
import type { Domain, HypervisorConnection } from './connection'
import type { DomainState } from './domain-status'
import { answerOrNull } from './observation'
import { attributeOf, childNamed, childrenNamed } from './xml/edit'
import { parseXmlTree } from './xml/tree'

// A host's own report of its domains, foreign ones included: the third source about a host of Nova. Read-only.

/** The part of `HostLinks` used here. */
interface DomainLinks {
  at<T>(host: HostId, ask: (connection: Pick<HypervisorConnection, 'domains' | 'hostname'>) => Promise<T>): Promise<T>
}

/** Null without an answer. */
export const witnessedDomains = (links: DomainLinks, host: HostId, signal?: AbortSignal): Promise<HostDomains | null> =>
  answerOrNull(
    links.at(host, async (connection) => {
      const hostname = await connection.hostname()
      signal?.throwIfAborted()
      const domains = await connection.domains((domain) => {
        signal?.throwIfAborted()
        return witnessed(domain)
      })
      return { hostname, domains }
    }),
  )

/** Null without an answer. */
export const witnessedName = (links: DomainLinks, host: HostId): Promise<string | null> =>
  answerOrNull(links.at(host, (connection) => connection.hostname()))

const STATES: Readonly<Record<DomainState, HostDomain['state']>> = {
  ...{ running: 'running', idle: 'running', 'in shutdown': 'running', paused: 'paused', pmsuspended: 'paused' },
  ...{ 'shut off': 'shut off', crashed: 'crashed', 'no state': 'other' },
}

function witnessed({ uuid, name, state, xml }: Domain): HostDomain {
  const read = parseXmlTree(xml)
  const pins = childrenNamed(childNamed(read.ok ? read.root : null, 'cputune'), 'vcpupin')
  return {
    ...{ uuid, name, state: STATES[state] },
    pins: read.ok
      ? new Map(pins.map((pin) => [Number(attributeOf(pin, 'vcpu')), attributeOf(pin, 'cpuset') ?? '']))
      : null,
  }
}
