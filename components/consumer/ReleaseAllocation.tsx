'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ForeignConsumerView } from '@/server/api/consumer/router'
import { amountList } from '../claim/amount/words'
import { isNotFound } from '../console/Failure'
import { MutationDialog } from '../console/MutationDialog'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { Copyable } from '../ui/Copyable'
import { KeyValue } from '../ui/KeyValue'
import { showToast } from '../ui/overlay/Toasts'
import { RelativeTime } from '../ui/time/Clock'
import { consumerWords as words } from './words'

/** Releases another client's allocation; the dialog names its owner. */
export function ReleaseAllocation({ consumer, small }: { readonly consumer: string; readonly small?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="warning" size={small ? 'sm' : 'md'} onPress={() => setOpen(true)}>
        {words.release}
      </Button>
      {isOpen ? <ReleaseDialog id={consumer} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function ReleaseDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.consumer.foreign.queryOptions({ id }))
  const release = useRelease(onClose)
  const found = query.data
  const owner = found?.owner.name ?? words.another
  const verb = found?.asks ? words.ask : words.release
  return (
    <MutationDialog
      needsReason
      danger
      onClose={onClose}
      title={words.title(owner)}
      confirmLabel={verb}
      disabledReason={whyNot(found, isNotFound(query.error))}
      consequences={found ? <Consequences consumer={found} /> : isNotFound(query.error) ? words.gone : null}
      mutation={{ isPending: release.isPending, error: isNotFound(query.error) ? null : release.error }}
      queryError={isNotFound(query.error) ? null : query.error}
      onConfirm={(reason) =>
        found && release.mutate({ id, generation: found.generation, writtenAt: found.owner.at, reason: reason ?? '' })
      }
    />
  )
}

function whyNot(found: ForeignConsumerView | undefined, isGone: boolean): string | null {
  if (isGone) return words.gone
  if (found && !found.permit.ok) return found.permit.why
  return found?.proposal?.state === 'open' ? words.waits : null
}

function useRelease(onDone: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.consumer.release.mutationOptions({
      onSuccess: ({ released }) => {
        if (released) showToast('ok', words.released)
        else
          showToast('flow', words.asked, { detail: words.askedMore, link: { href: paths.heal(), label: words.where } })
        onDone()
      },
      onSettled: () => {
        void queries.invalidateQueries(trpc.consumer.pathFilter())
        void queries.invalidateQueries(trpc.provider.pathFilter())
        void queries.invalidateQueries(trpc.proposal.pathFilter())
      },
    }),
  )
}

function Consequences({ consumer: { id, type, project, owner, amounts, asks } }: { consumer: ForeignConsumerView }) {
  return (
    <div className="flex flex-col gap-3">
      <KeyValue
        facts={[
          { key: words.owner, value: owner.name },
          { key: words.written, value: owner.at === null ? words.unknownTime : <RelativeTime at={owner.at} /> },
          { key: words.request, value: owner.request ? <Copyable text={owner.request} /> : words.unknownTime },
          { key: words.consumer, value: <Copyable text={id} /> },
          { key: words.type, value: type ?? words.noType },
          { key: words.project, value: project || '–' },
          {
            key: words.amounts,
            value: (
              <ul className="m-0 list-none p-0">
                {amounts.map((amount) => (
                  <li key={`${amount.provider} ${amount.resourceClass}`}>
                    {words.at(amountList([amount]), amount.provider)}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
      <p className="m-0">{words.effect}</p>
      <p className="m-0 text-soft">{asks ? words.second : words.first(owner.name)}</p>
    </div>
  )
}
