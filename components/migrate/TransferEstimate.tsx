'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TransferEstimateView } from '@/server/api/migration/transfer-estimate'
import { ActionFailure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { KeyValue } from '../ui/KeyValue'
import { Note } from '../ui/Message'
import { showToast } from '../ui/overlay/Toasts'
import { PanelPart } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { type EstimateText, estimateTexts, transferEstimateWords as words } from './transfer-words'

/** For the parent of the estimate, which another host, or an answer without an estimate, takes away for a moment. */
export function useMeasurement() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.migrate.measureMemory.mutationOptions({
      onSuccess: () => {
        showToast('ok', words.measured)
        void queries.invalidateQueries(trpc.migrate.plan.pathFilter())
      },
    }),
  )
}

interface EstimateProps {
  readonly instance: string
  readonly estimate: TransferEstimateView
  readonly measure: ReturnType<typeof useMeasurement>
}

/** The estimate of a live migration to this host, with the source of each figure. */
export function TransferEstimate({ instance, estimate, measure }: EstimateProps) {
  const fact = (key: string, { text, needs }: EstimateText) => ({ key, value: text, ...(needs && { needs }) })
  return (
    <PanelPart title={words.title}>
      <div className="flex flex-col gap-2">
        {estimate.converges === false ? (
          <Note tone="warn" shape="triangle">
            {words.notConverging}
          </Note>
        ) : null}
        <KeyValue
          facts={[
            fact(words.duration, estimateTexts.duration(estimate)),
            fact(words.downtime, estimateTexts.downtime(estimate)),
            fact(words.memory, estimateTexts.memory(estimate)),
            fact(words.disk, estimateTexts.disk(estimate)),
            fact(words.dirty, estimateTexts.dirty(estimate)),
            fact(words.bandwidth, estimateTexts.bandwidth(estimate)),
          ]}
        />
        <p className="m-0 text-xs text-soft">
          {words.untouched} {words.measureHelp}
        </p>
        <p className="m-0 flex flex-wrap items-center gap-2">
          <Button isPending={measure.isPending} onPress={() => measure.mutate({ instance })}>
            {words.measure}
          </Button>
          {estimate.measuredAt === null ? null : (
            <span className="text-xs text-soft">
              {words.measuredAt} <RelativeTime at={estimate.measuredAt} />
            </span>
          )}
        </p>
        <ActionFailure error={measure.error} what={words.notMeasured} />
      </div>
    </PanelPart>
  )
}
