import type { ReactNode } from 'react'
import type { MigrationRulesView, RuleBounds } from '@/server/api/setting/router'
import type { ForeignInstances, MigrationRules, SecondPersonAction } from '@/server/engine/migration/rules'
import type { Policy } from '@/server/engine/scheduler'
import { Checkbox } from '../ui/field/Checkbox'
import { RadioList } from '../ui/field/RadioList'
import { IntegerField } from './IntegerField'
import { approvalWords, foreignWords, policyWords, type sectionWords, settingWords as words } from './words'

// Rules that are set together, with their fields.

export interface FieldsProps {
  readonly value: MigrationRules
  readonly defaults: MigrationRules
  readonly bounds: RuleBounds
  readonly onChange: (part: Partial<MigrationRules>) => void
}

export interface RuleSection {
  readonly id: keyof typeof sectionWords
  readonly rules: readonly (keyof MigrationRules)[]
  readonly Fields: (props: FieldsProps) => ReactNode
}

export const RULE_SECTIONS: readonly RuleSection[] = [
  { id: 'scheduling', rules: ['policy'], Fields: PolicyFields },
  { id: 'limits', rules: ['limits'], Fields: LimitFields },
  { id: 'confirm', rules: ['confirmWindowMs'], Fields: WindowFields },
  { id: 'approval', rules: ['secondPerson'], Fields: ApprovalFields },
  { id: 'placement', rules: ['foreignInstances'], Fields: ForeignFields },
]

/** The latest change of these rules; null while defaults apply. */
export const lastOf = ({ changed }: MigrationRulesView, rules: readonly (keyof MigrationRules)[]) =>
  rules.flatMap((rule) => changed[rule] ?? []).sort((one, other) => other.at - one.at)[0] ?? null

const ACTIONS = Object.keys(approvalWords) as SecondPersonAction[]
const MINUTE_MS = 60_000
const FIRST_WINDOW_MS = 60 * MINUTE_MS

function PolicyFields({ value, onChange }: FieldsProps) {
  return (
    <RadioList
      label={words.policy}
      value={value.policy}
      onChange={(policy) => onChange({ policy })}
      choices={(Object.keys(policyWords) as Policy[]).map((id) => ({ id, ...policyWords[id] }))}
    />
  )
}

function LimitFields({ value: { limits }, defaults, bounds, onChange }: FieldsProps) {
  const field = (key: keyof typeof limits, most: number) => (
    <IntegerField
      label={words[key]}
      unit={words.unit}
      help={words.byDefault(String(defaults.limits[key]))}
      value={limits[key]}
      least={1}
      most={most}
      onChange={(next) => onChange({ limits: { ...limits, [key]: next } })}
    />
  )
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-3">
      {field('perSource', bounds.perHost)}
      {field('perTarget', bounds.perHost)}
      {field('fleet', bounds.fleet)}
    </div>
  )
}

function WindowFields({ value: { confirmWindowMs }, bounds, onChange }: FieldsProps) {
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        label={words.hasWindow}
        isSelected={confirmWindowMs !== null}
        onChange={(on) => onChange({ confirmWindowMs: on ? FIRST_WINDOW_MS : null })}
      />
      {confirmWindowMs === null ? (
        <p className="m-0 text-xs text-soft">{words.windowOff}</p>
      ) : (
        <IntegerField
          label={words.window}
          unit={words.minutes}
          value={confirmWindowMs / MINUTE_MS}
          least={bounds.confirmWindowMs.least / MINUTE_MS}
          most={bounds.confirmWindowMs.most / MINUTE_MS}
          onChange={(minutes) => onChange({ confirmWindowMs: minutes * MINUTE_MS })}
        />
      )}
    </div>
  )
}

function ApprovalFields({ value: { secondPerson }, onChange }: FieldsProps) {
  const choose = (action: SecondPersonAction, on: boolean) =>
    onChange({
      secondPerson: ACTIONS.filter((each) => (each === action ? on : secondPerson.includes(each))),
    })
  return (
    <div className="flex flex-col gap-2">
      {ACTIONS.map((action) => (
        <div key={action}>
          <Checkbox
            label={approvalWords[action].label}
            isSelected={secondPerson.includes(action)}
            onChange={(on) => choose(action, on)}
          />
          <p className="m-0 pl-[22px] text-xs text-soft">{approvalWords[action].detail}</p>
        </div>
      ))}
      <p className="m-0 text-xs text-soft">{secondPerson.length > 0 ? words.onlyOne : words.approvalOff}</p>
    </div>
  )
}

function ForeignFields({ value, onChange }: FieldsProps) {
  return (
    <RadioList
      label={words.foreign}
      value={value.foreignInstances}
      onChange={(foreignInstances) => onChange({ foreignInstances })}
      choices={(Object.keys(foreignWords) as ForeignInstances[]).map((id) => ({ id, ...foreignWords[id] }))}
    />
  )
}
