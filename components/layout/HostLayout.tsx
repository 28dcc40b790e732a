import type { CSSProperties, ReactNode } from 'react'
import type { LayoutPlanView } from '@/server/api/layout/view'
import { paths } from '../console/paths'
import { Badge } from '../ui/Badge'
import { DiffLines } from '../ui/DiffLines'
import { TextLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { LayoutTree, neededWidth } from './LayoutTree'
import { layoutBadges, layoutMeans, layoutWords } from './words'

const words = layoutWords.host

/** One host's tree before and after, with lines between the two. */
export function HostLayout({ plan, action }: { plan: LayoutPlanView; action: ReactNode }) {
  // A flat tree needs less width than its nested form.
  const sides = [plan.before, plan.after ?? plan.before].map((tree) => `minmax(0,${neededWidth(tree)}fr)`).join(' ')
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Badge badge={layoutBadges[plan.state]} detail={layoutMeans[plan.state]} />
        <TextLink href={paths.host(plan.host.id, { tab: 'facts' })}>{plan.host.name}</TextLink>
        <div className="ml-auto">{action}</div>
      </div>
      {plan.blockedBy ? (
        <Note tone="warn" shape="pause">
          <strong className="font-medium">{words.blocked}</strong>: {plan.blockedBy}. {words.blockedMore}
        </Note>
      ) : null}
      <div className="grid items-start gap-3 xl:grid-cols-(--sides)" style={{ '--sides': sides } as CSSProperties}>
        <Side title={words.before}>
          <LayoutTree when={words.before} tree={plan.before} />
        </Side>
        <Side title={words.after}>
          {plan.after ? (
            <LayoutTree when={words.after} tree={plan.after} />
          ) : (
            <p className="m-0 text-sm text-soft">{words.noAfter}</p>
          )}
        </Side>
      </div>
      {plan.lines.length > 0 ? (
        <Side title={words.lines}>
          <DiffLines
            label={words.lines}
            lines={plan.lines.map(({ why, ...line }, index) => ({ key: String(index), ...line, reason: why }))}
          />
        </Side>
      ) : null}
    </div>
  )
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-1.5">
      <h3 className="m-0 text-xs font-medium text-soft">{title}</h3>
      {children}
    </section>
  )
}
