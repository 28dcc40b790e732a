'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AutoHealRule } from '@/server/api/finding/router'
import { MutationDialog } from '../../console/MutationDialog'
import { useTRPC } from '../../console/trpc'
import { Checkbox } from '../../ui/field/Checkbox'
import { NumberField } from '../../ui/field/NumberField'
import { showToast } from '../../ui/overlay/Toasts'
import { kindWords } from '../kind/words'
import { ruleWords as words } from './words'

const FIRST_CAP = 10
const MAX_CAP = 1000

/** Before a rule is enabled, states in numbers what will be done without review. */
export function RuleDialog({ rule, onClose }: { rule: AutoHealRule; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [on, setOn] = useState(!rule.on)
  const [cap, setCap] = useState(rule.dailyCap > 0 ? rule.dailyCap : FIRST_CAP)
  const set = useMutation(
    trpc.finding.setRule.mutationOptions({
      onSuccess: () => {
        showToast('ok', words.done(kindWords[rule.kind]))
        void queries.invalidateQueries(trpc.finding.rules.queryFilter())
        onClose()
      },
    }),
  )
  return (
    <MutationDialog
      needsReason
      danger={on}
      onClose={onClose}
      title={words.changeOf(kindWords[rule.kind])}
      confirmLabel={on ? words.switchOn(cap) : words.switchOff}
      consequences={
        <div className="flex flex-col gap-3">
          <Checkbox label={words.heals} isSelected={on} onChange={setOn} />
          {on ? (
            <NumberField
              label={words.cap}
              className="w-40"
              value={cap}
              onChange={setCap}
              minValue={1}
              maxValue={MAX_CAP}
            />
          ) : null}
          <p className="m-0">{on ? words.consequences(cap) : words.consequencesOff}</p>
        </div>
      }
      mutation={set}
      what={words.change}
      onConfirm={(reason) => set.mutate({ kind: rule.kind, on, dailyCap: on ? cap : 0, reason: reason ?? '' })}
    />
  )
}
