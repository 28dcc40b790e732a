import type { FindingBriefView } from '@/server/api/finding/brief'
import type { HealPlanDetail } from '@/server/api/heal/router'
import { paths } from '../console/paths'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { RelativeTime } from '../ui/time/Clock'
import { healWords as words } from './words'

/** The outcome of the plan: replaced, applied and verified, undone. */
export function HealNotes({ plan }: { plan: HealPlanDetail }) {
  const marked = plan.part.flatMap((part) => part.lines).filter((line) => line.changed).length
  const written = plan.state === 'applied' || plan.state === 'partly-applied'
  return (
    <>
      {plan.replacedBy ? (
        <Note tone="twice" shape="diamond">
          {words.replaced} <TextLink href={paths.healPlan(plan.replacedBy)}>{words.replacedLink}</TextLink>
        </Note>
      ) : null}
      {plan.state === 'draft' && marked > 0 ? (
        <Note tone="twice" shape="diamond">
          {words.marked(marked)}
        </Note>
      ) : null}
      {plan.state === 'draft' && plan.foreseen ? <ExpectedFindings briefs={plan.foreseen} /> : null}
      {written ? <Verified plan={plan} /> : null}
      {plan.undoneBy ? (
        <Note tone="idle" shape="outof">
          {words.undone} <TextLink href={paths.healPlan(plan.undoneBy)}>{words.undonePlan}</TextLink>.
        </Note>
      ) : null}
      {plan.undoOf ? (
        <Note tone="idle" shape="outof">
          {words.undoOf} <TextLink href={paths.healPlan(plan.undoOf)}>{words.anotherPlan}</TextLink>.
        </Note>
      ) : null}
    </>
  )
}

function ExpectedFindings({ briefs }: { briefs: readonly FindingBriefView[] }) {
  const { title, none } = words.foreseen
  const worst = briefs.some(({ severity }) => severity === 'critical')
  return (
    <Note tone={worst ? 'warn' : 'ok'} shape={worst ? 'triangle' : 'tick'}>
      <strong className="font-medium">{title}</strong>: {briefs.length === 0 ? none : <Briefs briefs={briefs} />}
    </Note>
  )
}

function Briefs({ briefs }: { briefs: readonly FindingBriefView[] }) {
  return (
    <ul className="m-0 list-none p-0">
      {briefs.map(({ says, isNew }) => (
        <li key={says}>
          {says} <span className="text-soft">({isNew ? words.foreseen.isNew : words.foreseen.stays})</span>
        </li>
      ))}
    </ul>
  )
}

function Verified({ plan: { verified } }: { plan: HealPlanDetail }) {
  const left = verified?.left ?? 0
  const isClean = left + (verified?.found.length ?? 0) === 0
  return (
    <Note
      tone={verified === null ? 'flow' : isClean ? 'ok' : 'warn'}
      shape={verified === null ? 'half' : isClean ? 'tick' : 'triangle'}
    >
      <strong className="font-medium">{words.verified.title}</strong>:{' '}
      {verified === null ? (
        <Unknown needs={words.verified.waits} />
      ) : (
        <>
          {left === 0 ? words.verified.clean : words.verified.left(left)}, <RelativeTime at={verified.at} />
          {verified.found.length === 0 ? null : (
            <>
              {'. '}
              {words.verified.found(verified.found.length)}: <Briefs briefs={verified.found} />
            </>
          )}
        </>
      )}
    </Note>
  )
}
