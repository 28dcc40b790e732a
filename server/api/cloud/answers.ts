import type { CloudPlan } from '../../engine/cloud/plan'
import type { CloudRow } from '../../store/cloud/cloud'
import type { Ms } from '../plain'
import { type RefusalContext, refuse } from '../refusal/refused'
import type {
  AddCloudResult,
  ApplyCallsResult,
  CloudOutcomeView,
  CloudReach,
  CloudStatusView,
  Clouds,
  FileProblem,
  UnusableKey,
  WatchedCloud,
} from './clouds'
import { type CloudCallView, callView, notRead } from './view'

// Views of clouds and their reports for the API, and its refusals for unknown clouds.

/** A cloud as the list and its own page show it. */
export interface CloudView {
  readonly id: string
  readonly name: string
  /** Null: its settings cannot be read. */
  readonly reach: CloudReach | null
  readonly enabled: boolean
  readonly mayAct: boolean
  readonly addedAt: Ms | null
  readonly status: CloudStatusView | null
  /** The cloud's clock when the newest part of it was read. */
  readonly readAt: Ms | null
  /** Unread parts of it, each with the reason. */
  readonly notRead: readonly string[]
  /** Hosts that libvirt reported in the last read; null before the first. */
  readonly witnessed: number | null
}

/** A cloud whose rows could not be read has a line for each of its providers. */
const MAX_LINES = 20

export function cloudView(clouds: Pick<Clouds, 'reach'>, row: CloudRow, watched: WatchedCloud | undefined): CloudView {
  const { id, name, enabled, mayAct, addedAt } = row
  const state = watched?.state ?? null
  return {
    ...{ id, name, enabled, mayAct, addedAt, reach: clouds.reach(row.settings), status: watched?.status ?? null },
    readAt: state?.snapshot.now ?? null,
    witnessed: state === null ? null : [...state.snapshot.domains.values()].filter(({ isRead }) => isRead).length,
    notRead: state === null ? [] : firstLines(notRead(state)),
  }
}

function firstLines(lines: readonly string[]): readonly string[] {
  const more = lines.length - MAX_LINES
  return more > 0 ? [...lines.slice(0, MAX_LINES), `and ${more} more`] : lines
}

export interface CloudPlanView {
  /** The cloud's clock when it was read for the plan. */
  readonly at: Ms
  readonly calls: readonly CloudCallView[]
  readonly repairs: readonly {
    readonly title: string
    readonly about: string
    readonly before: readonly string[]
    readonly after: readonly string[]
  }[]
  readonly leftOut: readonly { readonly title: string; readonly about: string; readonly why: string }[]
}

/** A plan as a shell script. */
export interface CloudScript {
  readonly name: string
  readonly text: string
}

export const planView = ({ at, steps, repairs, leftOut }: CloudPlan): CloudPlanView => ({
  at,
  calls: steps.map(({ call }) => callView(call)),
  repairs: repairs.map(({ finding, before, after }) => ({
    ...{ title: finding.title, about: finding.object.name, before, after },
  })),
  leftOut: leftOut.map(({ finding, reason, instead }) => ({
    ...{ title: finding.title, about: finding.object.name, why: [reason, instead].filter(Boolean).join(' ') },
  })),
})

/** The first problem of a file, and the number of others. */
export function refuseFile(problems: readonly FileProblem[], about: RefusalContext): never {
  const [first] = problems
  const where = first ? [first.file, first.key].filter(Boolean).join(' ') : 'clouds.yaml'
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
  const have = `${where}: ${first?.what ?? 'it cannot be read'}${more}`
  const next = first ? `${first.fix.charAt(0).toUpperCase()}${first.fix.slice(1)}.` : 'Check the file.'
  return refuse('bad-input', { ...about, need: 'a cloud that can be reached', have, next })
}

export function outcomesOrRefuse(answer: ApplyCallsResult, about: RefusalContext): readonly CloudOutcomeView[] {
  if (answer.did === 'applied') return answer.outcomes
  if (answer.did === 'no-key') return refuseKey(answer, about)
  const [need, have, next] = UNAPPLIED[answer.did]
  return refuse('not-permitted', { ...about, need, have, next })
}

const UNAPPLIED = {
  'read-only': ['a cloud where actions are allowed', 'it is read-only', 'An admin can allow actions on its page.'],
  unwatched: ['a cloud that is watched', 'it is not watched', 'An admin can start watching it on its page.'],
  sealed: ['settings that can be opened', 'they are sealed with another key', 'Give this server the key of the cloud.'],
  gone: ['a cloud that is watched', 'it was removed', 'Add the cloud again.'],
} as const

function refuseKey({ why }: UnusableKey, about: RefusalContext): never {
  const next = 'Correct the key of clouds on this server (BERTH_CLOUD_KEY, or its file), and try again.'
  return refuse('not-permitted', { ...about, need: 'a key for clouds', have: why.replace(/\.$/, ''), next })
}

export function addedOrRefuse(answer: AddCloudResult, about: RefusalContext): string {
  switch (answer.did) {
    case 'added':
      return answer.cloud
    case 'unread':
      return refuseFile(answer.problems, about)
    case 'unreached': {
      const { name, says, next } = answer.failed
      const refused = { ...about, need: 'a cloud that answers', have: `${name}: ${says}` }
      return refuse('not-permitted', { ...refused, next: next ?? 'Probe it again.' })
    }
    case 'no-key':
      return refuseKey(answer, about)
    case 'name-taken': {
      const next = 'Give the cloud another name.'
      return refuse('not-permitted', { ...about, need: 'a name that is free', have: 'another cloud has it', next })
    }
    default:
      return answer satisfies never
  }
}
