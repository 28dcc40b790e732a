'use client'
import { Failure } from '../console/Failure'
import { consoleWords } from '../console/words'
import { Button } from '../ui/Button'
import { usePlanHeal } from './usePlanHeal'
import { findingWords as words } from './words'

export interface PlanHealButtonProps {
  readonly findings: readonly string[]
  /** Why these cannot be planned; a plan may well be made by somebody who may not apply it. */
  readonly why?: string | null
  readonly label?: string
}

/** The way from findings to their diff. */
export function PlanHealButton({ findings, why, label }: PlanHealButtonProps) {
  const plan = usePlanHeal()
  const blocked = why ?? (findings.length === 0 ? words.pickFirst : null)
  return (
    <>
      <Button
        look={blocked ? 'plain' : 'primary'}
        why={blocked}
        isPending={plan.isPending}
        onPress={() => plan.mutate({ findings: [...findings] })}
      >
        {label ?? words.planOf(findings.length)}
      </Button>
      {plan.error ? <Failure error={plan.error} title={consoleWords.error.action(words.plan)} /> : null}
    </>
  )
}
