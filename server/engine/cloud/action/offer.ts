import { type CloudFacts, isComplete, rowsOf } from '../facts'
import type { CloudGuard } from '../guard'
import { type CloudCall, migrationGuard, serverGuard } from '../repair'
import {
  type ActionInput,
  type ActionSubject,
  CLOUD_ACTION_KINDS,
  type CloudActionKind,
  NEEDS,
  type SubjectKind,
} from './action'
import { CLOUD_ACTIONS, type SubjectNames } from './table'

// Which actions are offered for a subject, why the others are not, and the call of each.

export interface OfferedAction {
  readonly verb: CloudActionKind
  /** Why it is unavailable; null: it is offered. */
  readonly why: string | null
}

/** All actions for its kind, so that those not offered are shown with the reason. */
export const offersFor = (kind: SubjectKind, subject: ActionSubject): readonly OfferedAction[] =>
  CLOUD_ACTION_KINDS.filter((verb) => CLOUD_ACTIONS[verb].about === kind).map((verb) => ({
    verb,
    why: refusalOf(verb, subject),
  }))

/** Null: it is offered. */
export function refusalOf(verb: CloudActionKind, subject: ActionSubject): string | null {
  const { about, states, needs } = CLOUD_ACTIONS[verb]
  const { facts, server, migration } = subject
  if (!facts.snapshot.services.isRead) return 'The compute services were not read.'
  if (about !== 'host' && server === null) return 'The instance does not exist any more.'
  const state = about === 'migration' ? migration?.status : server?.vmState
  if (states !== null && !states.includes(state ?? ''))
    return `Needs ${about === 'migration' ? 'a migration' : 'an instance'} that is ${states.join(' or ')}; it is ${state ?? 'not there'}.`
  for (const need of needs) {
    const why = NEEDS[need](subject)
    if (why !== null) return why
  }
  return null
}

/** Why the input is not valid; null when it is. */
export function inputRefusal(
  verb: CloudActionKind,
  { facts, server }: ActionSubject,
  input: ActionInput,
): string | null {
  const { fields } = CLOUD_ACTIONS[verb]
  if (fields.includes('flavor')) {
    if (input.flavor === null) return 'Choose a flavor.'
    // A list that lacks rows may lack this one.
    const isUnknown = isComplete(facts.snapshot.flavors) && flavorOf(facts, input.flavor) === undefined
    if (isUnknown) return `The cloud has no flavor ${input.flavor}.`
  }
  if (!fields.includes('host') || input.host === null) return null
  if (!facts.services.has(input.host)) return `The cloud has no host ${input.host}.`
  return input.host === server?.host ? `It is on ${input.host} already.` : null
}

export function callOf(verb: CloudActionKind, subject: ActionSubject, input: ActionInput): CloudCall {
  const row = CLOUD_ACTIONS[verb]
  const named = namedOf(subject, input)
  const microversion = row.microversion(input, subject)
  return {
    ...{ service: 'nova', method: row.method, path: pathOf(verb, subject), microversion, body: row.body(input, named) },
    ...{ does: row.does(named, input), instance: subject.server?.id ?? null, guards: guardsOf(verb, subject) },
    undo: null,
    commands: [['--os-compute-api-version', microversion, ...row.command(input, named)]],
  }
}

function pathOf(verb: CloudActionKind, { server, migration, service }: ActionSubject): string {
  const { about } = CLOUD_ACTIONS[verb]
  if (about === 'host') return `/os-services/${service?.id}`
  if (about === 'instance') return `/servers/${server?.id}/action`
  const path = `/servers/${server?.id}/migrations/${migration?.id}`
  return verb === 'abort' ? path : `${path}/action`
}

function guardsOf(verb: CloudActionKind, { facts, server, migration, service }: ActionSubject): readonly CloudGuard[] {
  const { about, needs } = CLOUD_ACTIONS[verb]
  if (about === 'host') {
    if (service === null) return []
    const { host, status, forcedDown } = service
    return [{ kind: 'service-row', host, status, forcedDown }]
  }
  if (server === null) return []
  // A running migration writes its record and its instance every few seconds.
  if (about === 'migration')
    return [
      serverGuard(server, 'written'),
      ...(migration ? [{ ...migrationGuard(migration), isRunning: true as const }] : []),
    ]
  const host = server.host ?? ''
  return [
    serverGuard(server),
    ...(needs.includes('source-up') && migration ? [migrationGuard(migration)] : []),
    ...(needs.includes('host-up') ? [{ kind: 'service', host, state: 'up' } as const] : []),
    ...(needs.includes('host-fenced')
      ? [{ kind: 'dead-host', host } as const, { kind: 'service', host, state: 'down' } as const]
      : []),
    ...(needs.includes('source-up')
      ? [
          {
            kind: 'service',
            host: migration?.sourceHost ?? '',
            state: facts.services.get(migration?.sourceHost ?? '')?.state ?? 'up',
          } as const,
        ]
      : []),
  ]
}

function namedOf({ facts, server, migration, service }: ActionSubject, { flavor }: ActionInput): SubjectNames {
  return {
    ...{ id: server?.id ?? '', name: server?.name ?? '', host: service?.host ?? server?.host ?? 'no host' },
    ...{ migration: migration?.id ?? 0, source: migration?.sourceHost ?? 'the source' },
    image: server?.image ?? '',
    flavor: (flavor === null ? undefined : flavorOf(facts, flavor)?.name) ?? flavor ?? '',
  }
}

const flavorOf = ({ snapshot }: CloudFacts, id: string) => rowsOf(snapshot.flavors).find((each) => each.id === id)
