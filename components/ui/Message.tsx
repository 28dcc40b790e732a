import type { ReactNode } from 'react'
import { Copyable } from './Copyable'
import { cx } from './cx'
import { Glyph, type Shape } from './Glyph'
import { type Tone, toneText, toneWash } from './tone'
import { uiWords } from './words'

/** Why there is nothing here and what to do about it. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-1.5 py-4 text-center">
      <p className="m-0 font-medium">{title}</p>
      {children ? <div className="w-full max-w-prose text-soft">{children}</div> : null}
      {action ? <div className="pt-1">{action}</div> : null}
    </div>
  )
}

export interface ErrorFacts {
  readonly title: string
  readonly happened: ReactNode
  readonly notChanged?: ReactNode
  readonly next?: ReactNode
  readonly requestId?: string | null
}

/** An error states what happened, what was not changed, the next step, and an id to copy. */
export function ErrorState({ facts, action }: { facts: ErrorFacts; action?: ReactNode }) {
  return (
    <section role="alert" className="w-full max-w-3xl rounded-md border border-line bg-bad-wash px-3 py-2.5 text-sm">
      <p className="m-0 flex items-center gap-2 font-medium text-bad">
        <Glyph shape="cross" />
        {facts.title}
      </p>
      <dl className="m-0 mt-1.5 grid grid-cols-[7rem_1fr] gap-x-3 gap-y-0.5">
        <Line name={uiWords.whatHappened} value={facts.happened} />
        {facts.notChanged ? <Line name={uiWords.notChanged} value={facts.notChanged} /> : null}
        {facts.next ? <Line name={uiWords.nextStep} value={facts.next} /> : null}
        {facts.requestId ? <Line name={uiWords.requestId} value={<Copyable whole text={facts.requestId} />} /> : null}
      </dl>
      {action ? <div className="pt-2">{action}</div> : null}
    </section>
  )
}

function Line({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt className="text-xs leading-5 text-soft">{name}</dt>
      <dd className="m-0 min-w-0">{value}</dd>
    </>
  )
}

/** A note on the page's subject: why it waits, what is unusual. */
export function Note({ tone, shape, children }: { tone: Tone; shape: Shape; children: ReactNode }) {
  return (
    <div className={cx('flex items-start gap-2 rounded-md px-3 py-2 text-sm', toneWash[tone])}>
      <Glyph shape={shape} className={cx('mt-[5px] shrink-0', toneText[tone])} />
      <div className="min-w-0 flex-1 text-ink">{children}</div>
    </div>
  )
}

/** Above data that are still shown although their refresh failed. */
export function StaleLine({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <p role="status" className="m-0 flex min-h-7 flex-wrap items-center gap-2 pb-1 text-xs text-warn">
      <Glyph shape="triangle" />
      {children}
      {action}
    </p>
  )
}
