import type { HealPlanDetail } from '@/server/api/contract-truth'
import { paths } from '../console/paths'
import { RelativeTime } from '../ui/Clock'
import { Unknown } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { healWords as words } from './words'

/** What became of the plan: replaced, applied and verified, undone. */
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

function Verified({ plan: { verified } }: { plan: HealPlanDetail }) {
  const left = verified?.left ?? 0
  return (
    <Note
      tone={verified === null ? 'flow' : left === 0 ? 'ok' : 'warn'}
      shape={verified === null ? 'half' : left === 0 ? 'tick' : 'triangle'}
    >
      <strong className="font-medium">{words.verified.title}</strong>:{' '}
      {verified === null ? (
        <Unknown needs={words.verified.waits} />
      ) : (
        <>
          {left === 0 ? words.verified.clean : words.verified.left(left)}, <RelativeTime at={verified.at} />
        </>
      )}
    </Note>
  )
}
