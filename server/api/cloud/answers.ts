import type { CloudPlan } from '../../engine/cloud/plan'
import type { Ms } from '../plain'
import { type RefusedAbout, refuse } from '../refusal/refused'
import type { CloudAdded, FileProblem } from './clouds'
import { type CloudCallView, callView } from './view'

// What the API makes of answers about clouds: a plan for people, and a refusal where there is no cloud.

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

/** The first problem of a file, and how many follow. */
export function refuseFile(problems: readonly FileProblem[], about: RefusedAbout): never {
  const [first] = problems
  const where = first ? [first.file, first.key].filter(Boolean).join(' ') : 'clouds.yaml'
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
  const have = `${where}: ${first?.what ?? 'it cannot be read'}${more}`
  const next = first ? `${first.fix.charAt(0).toUpperCase()}${first.fix.slice(1)}.` : 'Check the file.'
  return refuse({ kind: 'bad-input', where: {}, need: 'a cloud that can be reached', have }, { ...about, next })
}

export function addedOr(answer: CloudAdded, about: RefusedAbout): string {
  switch (answer.did) {
    case 'added':
      return answer.cloud
    case 'unread':
      return refuseFile(answer.problems, about)
    case 'unreached': {
      const { name, says, next } = answer.failed
      const refusal = {
        kind: 'wrong-state',
        where: {},
        need: 'a cloud that answers',
        have: `${name}: ${says}`,
      } as const
      return refuse(refusal, { ...about, next: next ?? 'Probe it again.' })
    }
    case 'name-taken': {
      const refusal = {
        kind: 'not-permitted',
        where: {},
        need: 'a name that is free',
        have: 'another cloud has it',
      } as const
      return refuse(refusal, { ...about, next: 'Give the cloud another name.' })
    }
    default:
      return answer satisfies never
  }
}
