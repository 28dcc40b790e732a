'use client'
import { type ReactNode, useMemo, useState } from 'react'
import type { HealPlanDetail } from '@/server/api/heal/router'
import { claimTotalsText } from '../claim/amount/words'
import { Button } from '../ui/Button'
import { TextField } from '../ui/field/Field'
import { EmptyState } from '../ui/Message'
import { uiWords } from '../ui/words'
import { HealPart } from './HealPart'
import { consequencesOf, isOpen } from './line-summary'
import { healWords as words } from './words'

export interface HealReviewProps {
  readonly plan: HealPlanDetail
  readonly isPending: boolean
  readonly error: ReactNode
  readonly onApply: (choice: { readonly parts: readonly number[]; readonly reason: string }) => void
}

const MIN_REASON = 3

/** The diff, part by part, and one button that names how many parts it writes. */
export function HealReview({ plan, isPending, error, onApply }: HealReviewProps) {
  const open = useMemo(() => plan.part.filter(isOpen).map((part) => part.n), [plan.part])
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [reason, setReason] = useState('')
  const settled = plan.state === 'changed' || plan.state === 'undone' || open.length === 0
  const parts = settled ? [] : open.filter((n) => !left.has(n))
  const choose = (n: number, chosen: boolean) => {
    const next = new Set(left)
    if (chosen) next.delete(n)
    else next.add(n)
    setLeft(next)
  }
  if (plan.part.length === 0) return <EmptyState title={words.noParts}>{words.noPartsMore}</EmptyState>
  return (
    <div className="flex flex-col gap-3">
      {plan.part.map((part) => (
        <HealPart
          key={part.n}
          part={part}
          settled={settled}
          chosen={parts.includes(part.n)}
          onChoose={(chosen) => choose(part.n, chosen)}
        />
      ))}
      {error}
      {settled ? null : (
        <ApplyBar
          plan={plan}
          parts={parts}
          reason={reason}
          onReason={setReason}
          isPending={isPending}
          onApply={() => onApply({ parts, reason: reason.trim() })}
        />
      )}
    </div>
  )
}

interface ApplyBarProps {
  readonly plan: HealPlanDetail
  readonly parts: readonly number[]
  readonly reason: string
  readonly onReason: (reason: string) => void
  readonly isPending: boolean
  readonly onApply: () => void
}

/** Stays visible while reading: what the click would write, in numbers, and why it is unavailable. */
function ApplyBar({ plan, parts, reason, onReason, isPending, onApply }: ApplyBarProps) {
  const sum = consequencesOf(plan.part.filter((part) => parts.includes(part.n)))
  const gives = claimTotalsText(sum.givesBack)
  return (
    <form
      aria-label={words.apply.title}
      onSubmit={(event) => {
        event.preventDefault()
        if (whyNot(plan, parts, reason) === null && !isPending) onApply()
      }}
      className="z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-raised p-3 shadow-pop [@media(min-height:500px)]:sticky [@media(min-height:500px)]:bottom-0"
    >
      <TextField
        label={uiWords.reason}
        help={uiWords.reasonHelp}
        className="min-w-64 flex-1"
        value={reason}
        onChange={onReason}
      />
      <p className="m-0 min-w-56 flex-1 text-sm">
        {parts.length === 0 ? null : (
          <>
            {words.apply.sum(sum.lines, sum.hosts)} {gives === 'nothing' ? null : words.apply.gives(gives)}
            <span className="block text-xs text-soft">
              {words.apply.each} {plan.asks ? words.apply.asks : null}{' '}
              {plan.approval?.state === 'open' ? words.apply.replaces : null}
            </span>
          </>
        )}
      </p>
      <Button type="submit" variant="primary" isPending={isPending} disabledReason={whyNot(plan, parts, reason)}>
        {verbOf(plan, parts.length)}
      </Button>
    </form>
  )
}

function verbOf({ asks, undoOf }: HealPlanDetail, parts: number): string {
  if (asks) return words.apply.ask(parts)
  return undoOf === null ? words.apply.verb(parts) : words.apply.undoVerb(parts)
}

function whyNot(plan: HealPlanDetail, parts: readonly number[], reason: string): string | null {
  if (!plan.permitted.apply.ok) return plan.permitted.apply.why
  if (parts.length === 0) return words.apply.pick
  return reason.trim().length < MIN_REASON ? words.apply.reason : null
}
