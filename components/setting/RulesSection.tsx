'use client'
import { useState } from 'react'
import type { MigrationRulesView } from '@/server/api/setting/router'
import type { MigrationRules } from '@/server/engine/migration/rules'
import { Button } from '../ui/Button'
import { Note } from '../ui/Message'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { RelativeTime } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { lastOf, type RuleSection } from './sections'
import { ruleText, sectionWords, settingWords as words } from './words'

const ReviewDialog = lateOverlay(() => import('./ReviewDialog').then((code) => code.ReviewDialog))

const sameRule = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const isReadable = (rules: MigrationRules) =>
  ![...Object.values(rules.limits), rules.confirmWindowMs].some((value) => Number.isNaN(value))

export function RulesSection({ section, rules }: { section: RuleSection; rules: MigrationRulesView }) {
  // A draft keeps the rules it started from, because others may change them meanwhile.
  const [draft, setDraft] = useState<{
    readonly from: MigrationRulesView
    readonly part: Partial<MigrationRules>
  } | null>(null)
  const [round, setRound] = useState(0)
  const [reviewed, setReviewed] = useState(false)
  const dirty = draft
    ? section.rules.filter((rule) => !sameRule({ ...draft.from, ...draft.part }[rule], draft.from[rule]))
    : []
  const from = draft && dirty.length > 0 ? draft.from : rules
  const value: MigrationRules = { ...from, ...draft?.part }
  const last = lastOf(rules, section.rules)
  const overtaken = dirty.length > 0 && last?.at !== lastOf(from, section.rules)?.at
  const drop = () => {
    setDraft(null)
    setRound((before) => before + 1)
    setReviewed(false)
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="m-0 max-w-prose text-soft">{sectionWords[section.id].about}</p>
      {rules.permit.ok ? null : (
        <Note tone="idle" shape="dash">
          {words.mayNot(rules.permit.why)}
        </Note>
      )}
      <fieldset disabled={!rules.permit.ok} className="m-0 min-w-0 border-0 p-0">
        <section.Fields
          // Fields hold what was typed; they reset after saving, discarding, or a change by another user.
          key={`${round} ${lastOf(from, section.rules)?.at}`}
          value={value}
          defaults={rules.defaults}
          bounds={rules.bounds}
          onChange={(part) => setDraft({ from, part: { ...draft?.part, ...part } })}
        />
      </fieldset>
      {overtaken ? (
        <Note tone="warn" shape="triangle">
          {words.changedMeanwhile(last?.by ?? words.script)}
        </Note>
      ) : null}
      <Foot
        section={section}
        rules={rules}
        isDirty={dirty.length > 0}
        why={isReadable(value) ? null : words.fixFirst}
        onReview={() => setReviewed(true)}
        onDrop={drop}
      />
      {reviewed ? (
        <ReviewDialog
          section={section}
          before={from}
          after={Object.fromEntries(dirty.map((rule) => [rule, value[rule]]))}
          onDone={drop}
          onClose={() => setReviewed(false)}
        />
      ) : null}
    </div>
  )
}

/** Last author and default values; during an edit, save and discard. */
function Foot(props: {
  readonly section: RuleSection
  readonly rules: MigrationRulesView
  readonly isDirty: boolean
  readonly why: string | null
  readonly onReview: () => void
  readonly onDrop: () => void
}) {
  const { section, rules, isDirty } = props
  const last = lastOf(rules, section.rules)
  const byDefault = uiWords.list(section.rules.map((rule) => ruleText[rule](rules.defaults[rule] as never)))
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-2 text-xs text-soft">
      {last ? (
        <span className="flex flex-wrap gap-x-1.5">
          {words.changedBy(last.by ?? words.script)}
          <RelativeTime at={last.at} />
        </span>
      ) : (
        words.neverChanged
      )}
      <span>{words.byDefault(byDefault)}</span>
      {isDirty ? (
        <span className="ml-auto flex items-center gap-2">
          <span className="text-warn">{words.unsaved}</span>
          <Button size="sm" onPress={props.onDrop}>
            {words.discard}
          </Button>
          <Button size="sm" variant="primary" disabledReason={props.why} onPress={props.onReview}>
            {words.review}
          </Button>
        </span>
      ) : null}
    </div>
  )
}
