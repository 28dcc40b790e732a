import { amountsText } from './amounts'
import { type CloudFacts, timeOrZero } from './facts'
import type { CloudEvidence, CloudObject } from './finding'
import type { Amounts, CloudMigration, CloudServer } from './snapshot'

// Each source in one line, with the time of its own answer.

export const instanceObject = ({ id, name }: CloudServer): CloudObject => ({ type: 'instance', id, name })
export const hostObject = (host: string): CloudObject => ({ type: 'host', id: host, name: host })
export const migrationObject = ({ uuid, id }: CloudMigration): CloudObject => {
  return { type: 'migration', id: uuid, name: `migration ${id}` }
}

const POWER: Readonly<Record<number, string>> = {
  ...{ 0: 'no state', 1: 'running', 3: 'paused', 4: 'shut down', 6: 'crashed', 7: 'suspended' },
}
export const powerText = (state: number): string => POWER[state] ?? `power state ${state}`

export function serverEvidence({ snapshot }: CloudFacts, server: CloudServer): CloudEvidence {
  const task = server.taskState === null ? '' : `, task ${server.taskState}`
  const where = server.host === null ? 'on no host' : `on ${server.host}`
  const says = `${server.vmState} ${where}${task}, ${powerText(server.powerState)}`
  return { source: 'nova', says, at: timeOrZero(snapshot.servers) }
}

export function migrationEvidence({ snapshot }: CloudFacts, migration: CloudMigration): CloudEvidence {
  const { id, type, status, sourceHost, targetHost } = migration
  const says = `migration ${id} (${type}) from ${sourceHost ?? 'no host'} to ${targetHost ?? 'no host yet'}: ${status}`
  return { source: 'nova', says, at: timeOrZero(snapshot.migrations) }
}

export function serviceEvidence({ snapshot, services }: CloudFacts, host: string): CloudEvidence {
  const service = services.get(host)
  const forced = service?.forcedDown === true ? ', forced down' : ''
  const says =
    service === undefined ? `no nova-compute on ${host}` : `nova-compute on ${host}: ${service.state}${forced}`
  return { source: 'nova', says, at: timeOrZero(snapshot.services) }
}

export const heldText = (
  parts: readonly { readonly provider: { readonly name: string }; readonly resources: Amounts }[],
): string =>
  parts.map(({ provider, resources }) => `${amountsText(resources)} on ${provider.name}`).join('; ') || 'nothing'

export function holdingEvidence(facts: CloudFacts, who: string, consumer: string): CloudEvidence {
  const known = facts.consumers.get(consumer)
  return {
    source: 'placement',
    says: `${who} holds ${heldText(known?.parts ?? [])}`,
    at: known?.heldAt ?? facts.allOf.at,
  }
}

/** Also evidence that it holds nothing else. */
export function onlyHoldingEvidence(facts: CloudFacts, who: string, consumer: string): CloudEvidence {
  const evidence = holdingEvidence(facts, who, consumer)
  return { ...evidence, at: Math.min(evidence.at, facts.consumers.get(consumer)?.onlyAt ?? evidence.at) }
}

/** Fields of an instance that must be equal in two reads. */
export const serverFingerprint = ({ host, vmState, taskState, powerState, updatedAt }: CloudServer): string =>
  [host, vmState, taskState, powerState, updatedAt].join(' ')

export const migrationFingerprint = ({ status, updatedAt, targetHost }: CloudMigration): string =>
  [status, updatedAt, targetHost].join(' ')

export function holdingFingerprint({ consumers }: CloudFacts, consumer: string): string {
  const known = consumers.get(consumer)
  const parts = (known?.parts ?? []).map(({ provider, resources }) => `${provider.id} ${amountsText(resources)}`)
  return [known?.generation, ...parts.sort()].join(' ')
}
