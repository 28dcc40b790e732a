'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MoveRulesView, RuleBounds } from '@/server/api/setting/router'
import type { MoveRules, SecondPersonDeed } from '@/server/engine/move-rules'
import { Failure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { Checkbox } from '../ui/field/Checkbox'
import { NumberField } from '../ui/field/NumberField'
import { Select } from '../ui/field/Select'
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog'
import { tell } from '../ui/overlay/Toasts'
import { PanelPart } from '../ui/Panel'
import { ForeignInstances } from './ForeignInstances'
import { deedWords, policyWords, settingWords as words } from './words'

const MINUTE_MS = 60_000
const FIRST_WINDOW_MS = 60 * MINUTE_MS

interface PartProps {
  readonly rules: MoveRules
  readonly bounds: RuleBounds
  readonly onChange: (part: Partial<MoveRules>) => void
}

/** All rules at once, as they were shown: whoever was first is not written over. */
export function RulesDialog({ rules: shown, onClose }: { rules: MoveRulesView; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [rules, setRules] = useState<MoveRules>(() => inputOf(shown))
  const onChange = (change: Partial<MoveRules>) => setRules({ ...rules, ...change })
  const part = { rules, bounds: shown.bounds, onChange }
  const set = useMutation(
    trpc.setting.setRules.mutationOptions({
      onSuccess: () => {
        tell('ok', words.done)
        onClose()
      },
      // Somebody else's rules are what the next try must start from.
      onSettled: () => queries.invalidateQueries(trpc.setting.rules.queryFilter()),
    }),
  )
  return (
    <ConfirmDialog
      isOpen
      needsReason
      onClose={onClose}
      title={words.changing}
      verb={words.verb}
      consequences={
        <div className="flex flex-col gap-4">
          <Select
            label={words.policy}
            help={words.policyHelp}
            value={rules.policy}
            onChange={(policy) => onChange({ policy })}
            choices={(Object.keys(policyWords) as (keyof typeof policyWords)[]).map((id) => ({
              id,
              ...policyWords[id],
            }))}
          />
          <LimitFields {...part} />
          <WindowFields {...part} />
          <SecondPerson {...part} />
          <ForeignInstances
            value={rules.foreignInstances}
            onChange={(value) => onChange({ foreignInstances: value })}
          />
          <p className="m-0 text-soft">{words.effect}</p>
        </div>
      }
      isPending={set.isPending}
      error={set.error ? <Failure error={set.error} title={consoleWords.error.action(words.verb)} /> : null}
      onConfirm={(reason) => set.mutate({ ...rules, readAt: shown.at, reason: reason ?? '' })}
    />
  )
}

const inputOf = ({ policy, limits, confirmWindowMs, secondPerson, foreignInstances }: MoveRulesView): MoveRules => ({
  ...{ policy, limits, confirmWindowMs, secondPerson, foreignInstances },
})

function LimitFields({ rules: { limits }, bounds, onChange }: PartProps) {
  const field = (key: keyof typeof limits, maxValue: number) => (
    <NumberField
      label={words[key]}
      className="w-32"
      value={limits[key]}
      onChange={(value) => onChange({ limits: { ...limits, [key]: value } })}
      minValue={1}
      maxValue={maxValue}
    />
  )
  return (
    <PanelPart title={words.limits}>
      <div className="flex flex-wrap gap-3">
        {field('perSource', bounds.perHost)}
        {field('perTarget', bounds.perHost)}
        {field('fleet', bounds.fleet)}
      </div>
    </PanelPart>
  )
}

function WindowFields({ rules: { confirmWindowMs }, bounds, onChange }: PartProps) {
  return (
    <PanelPart title={words.window}>
      <div className="flex flex-col gap-2">
        <Checkbox
          label={words.hasWindow}
          isSelected={confirmWindowMs !== null}
          onChange={(on) => onChange({ confirmWindowMs: on ? FIRST_WINDOW_MS : null })}
        />
        {confirmWindowMs === null ? null : (
          <NumberField
            label={words.minutes}
            className="w-32"
            value={Math.max(1, Math.round(confirmWindowMs / MINUTE_MS))}
            onChange={(minutes) => onChange({ confirmWindowMs: minutes * MINUTE_MS })}
            minValue={bounds.confirmWindowMs.least / MINUTE_MS}
            maxValue={bounds.confirmWindowMs.most / MINUTE_MS}
          />
        )}
      </div>
    </PanelPart>
  )
}

function SecondPerson({ rules: { secondPerson }, onChange }: PartProps) {
  const deeds = Object.keys(deedWords) as SecondPersonDeed[]
  return (
    <PanelPart title={words.second}>
      <div className="flex flex-col gap-2">
        {deeds.map((deed) => (
          <Checkbox
            key={deed}
            label={deedWords[deed]}
            isSelected={secondPerson.includes(deed)}
            onChange={(on) =>
              onChange({ secondPerson: deeds.filter((each) => (each === deed ? on : secondPerson.includes(each))) })
            }
          />
        ))}
        {secondPerson.length > 0 ? <p className="m-0 text-xs text-soft">{words.onlyOne}</p> : null}
      </div>
    </PanelPart>
  )
}
