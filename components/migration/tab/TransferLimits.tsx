'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_TRANSFER_LIMITS } from '@/forms/transfer-limits'
import type { MigrationDetail } from '@/server/api/migration/detail'
import type { TransferLimitsView } from '@/server/api/migration/transfer-limits'
import { MutationDialog } from '../../console/MutationDialog'
import { useTRPC } from '../../console/trpc'
import { Button } from '../../ui/Button'
import { NumberField } from '../../ui/field/NumberField'
import { showToast } from '../../ui/overlay/Toasts'
import { uiWords } from '../../ui/words'
import { tabWords } from './words'

const words = tabWords.transfer.limits

interface Limits {
  readonly migration: Pick<MigrationDetail, 'id' | 'instance'>
  readonly limits: TransferLimitsView
}

/** Limits of a live migration in progress, with their edit dialog. */
export function TransferLimits({ migration, limits }: Limits) {
  const [isOpen, setOpen] = useState(false)
  const { now, permit } = limits
  return (
    <p className="m-0 flex flex-wrap items-center gap-2">
      {words.now(now.bandwidthMibPerS, now.maxDowntimeMs)}
      <Button disabledReason={permit.ok ? null : permit.why} onPress={() => setOpen(true)}>
        {words.change}
      </Button>
      {isOpen ? <LimitsDialog migration={migration} limits={limits} onClose={() => setOpen(false)} /> : null}
    </p>
  )
}

/** An empty field is not a number. */
const numberOf = (value: number | null) => value ?? Number.NaN
const figureOf = (typed: number) => (Number.isNaN(typed) ? null : typed)

function LimitsDialog({ migration, limits: { now }, onClose }: Limits & { readonly onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [bandwidth, setBandwidth] = useState(numberOf(now.bandwidthMibPerS))
  const [downtime, setDowntime] = useState(numberOf(now.maxDowntimeMs))
  const change = useMutation(
    trpc.migration.limitTransfer.mutationOptions({
      onSuccess: () => {
        showToast('ok', words.changed)
        void queries.invalidateQueries(trpc.migration.pathFilter())
        onClose()
      },
    }),
  )
  const field = (most: number) => ({ minValue: 1, maxValue: most, step: 1, className: 'max-w-48' })
  return (
    <MutationDialog
      onClose={onClose}
      title={uiWords.labelled(words.change, migration.instance.name)}
      confirmLabel={words.change}
      consequences={
        <div className="flex flex-col gap-3">
          <p className="m-0">{words.means}</p>
          <NumberField
            {...field(MAX_TRANSFER_LIMITS.bandwidthMibPerS)}
            label={words.bandwidth}
            value={bandwidth}
            onChange={setBandwidth}
          />
          <NumberField
            {...field(MAX_TRANSFER_LIMITS.maxDowntimeMs)}
            label={words.downtime}
            value={downtime}
            onChange={setDowntime}
          />
          <p className="m-0 text-xs text-soft">{words.empty}</p>
        </div>
      }
      needsReason
      mutation={change}
      onConfirm={(reason) =>
        change.mutate({
          ...{ id: migration.id, reason: reason ?? '' },
          ...{ bandwidthMibPerS: figureOf(bandwidth), maxDowntimeMs: figureOf(downtime) },
        })
      }
    />
  )
}
