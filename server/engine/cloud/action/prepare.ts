import type { CloudFacts } from '../facts'
import { lastWriteOf } from '../history'
import type { CloudCall } from '../repair'
import { type ActionSubject, type CloudActionKind, subjectOf } from './action'
import type { FollowedAction } from './followed'
import { callOf, inputRefusal, refusalOf } from './offer'
import { CLOUD_ACTIONS } from './table'

// An action as it is sent, with the facts needed to follow it.

export type RequestedCloudAction = Pick<FollowedAction, 'verb' | 'subject' | 'input'>

export interface PreparedAction {
  readonly call: CloudCall
  readonly verb: CloudActionKind
  readonly subject: string
  /** Name of the subject. */
  readonly name: string
  readonly followed: Omit<FollowedAction, 'verb' | 'subject'>
}

/** A string says why it cannot be requested. */
export function prepareAction(
  facts: CloudFacts,
  { verb, subject: id, input }: RequestedCloudAction,
): PreparedAction | string {
  const { about } = CLOUD_ACTIONS[verb]
  const subject = subjectOf(facts, about, id)
  if (subject === null) return 'The cloud does not list it any more.'
  const why = refusalOf(verb, subject) ?? inputRefusal(verb, subject, input)
  if (why !== null) return why
  const newest = about === 'instance' ? facts.migrationsOf.get(id)?.[0] : subject.migration
  return {
    ...{ call: callOf(verb, subject, input), verb, subject: id, name: nameOf(verb, subject) },
    followed: {
      ...{ input, sentAt: facts.snapshot.now, lastMigration: newest?.id ?? 0 },
      lastWritten: subject.server && lastWriteOf(subject.server),
    },
  }
}

function nameOf(verb: CloudActionKind, { server, migration, service }: ActionSubject): string {
  const { about } = CLOUD_ACTIONS[verb]
  if (about === 'host') return service?.host ?? ''
  return about === 'migration' ? `${server?.name} (migration ${migration?.id})` : (server?.name ?? '')
}
