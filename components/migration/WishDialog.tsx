'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConsequenceHost, MoveConsequences, WishResult } from '@/server/api/contract-moves'
import type { Wish } from '@/server/engine/migration/state'
import { heldText } from '../claim/words'
import { Failure } from '../console/Failure'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { Note } from '../ui/Message'
import { tell } from '../ui/Toasts'
import { uiWords } from '../ui/words'
import { resultRows, WishResults, type WishRow } from './WishResults'
import { migrationWords, wishWords } from './words'

const words = migrationWords.consequences

export interface WishDialogProps {
  readonly wish: Wish
  readonly ids: readonly string[]
  /** The instance's name when one move is asked; typed for the worst. */
  readonly name: string | null
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** Consequences in numbers before the click; the button says the verb and for how many. Then what came of each. */
export function WishDialog({ wish, ids, name, onClose, onDone }: WishDialogProps) {
  const trpc = useTRPC()
  const asked = useQuery(trpc.migration.consequences.queryOptions({ ids: [...ids], wish }, { staleTime: 0 }))
  const [rows, setRows] = useState<readonly WishRow[] | null>(null)
  const close = () => {
    onDone?.()
    onClose()
  }
  const send = useWish((results) => {
    const all = asked.data ? resultRows(asked.data, results) : []
    const taken = all.filter(({ why }) => why === null)
    if (taken.length > 0) {
      const what = name
        ? uiWords.named(wishWords[wish].verb, name)
        : migrationWords.bulk(wishWords[wish].verb, taken.length)
      tell('flow', migrationWords.accepted(what), { detail: migrationWords.acceptedMore })
    }
    if (taken.length < all.length) setRows(all)
    else close()
  })
  if (rows) return <WishResults wish={wish} rows={rows} onClose={close} />
  const { verb, tone } = wishWords[wish]
  const count = asked.data?.permitted.length ?? ids.length
  const label = name ? uiWords.named(verb, name) : migrationWords.bulk(verb, count)
  const failure = send.error ?? asked.error
  const [onlyRefused] = asked.data?.permitted.length === 0 ? asked.data.refused : []
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={label}
      verb={label}
      danger={tone === 'bad'}
      consequences={asked.data ? <Consequences of={asked.data} /> : null}
      typedName={asked.data?.needsTypedName ? name : null}
      needsReason={asked.data?.needsReason}
      why={onlyRefused?.why ?? null}
      isPending={send.isPending}
      error={failure ? <Failure error={failure} title={consoleWords.error.action(verb)} /> : null}
      onConfirm={(reason) => send.mutate({ ids: asked.data?.permitted.map((move) => move.id) ?? [], wish, reason })}
    />
  )
}

function useWish(onDone: (results: readonly WishResult[]) => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.migration.wish.mutationOptions({
      onSuccess: (results: readonly WishResult[]) => {
        void queries.invalidateQueries(trpc.migration.pathFilter())
        onDone(results)
      },
    }),
  )
}

function Consequences({ of }: { of: MoveConsequences }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="m-0">{wishWords[of.wish].means}</p>
      <Hosts title={words.frees} hosts={of.frees} none={of.wish === 'force-complete' ? null : words.nothing} />
      <Hosts title={words.keeps} hosts={of.keeps} none={null} />
      {of.stopsGuests > 0 ? <p className="m-0">{words.stops(of.stopsGuests)}</p> : null}
      {of.noWayBack ? (
        <Note tone="bad" shape="triangle">
          {words.noWayBack}
        </Note>
      ) : null}
      {of.refused.length > 0 ? (
        <div className="text-sm text-soft">
          <p className="m-0 font-medium">
            {words.refused}: {of.refused.length}
          </p>
          <ul className="m-0 max-h-28 list-disc overflow-auto pl-4">
            {of.refused.map((move) => (
              <li key={move.id}>
                {move.name}: {move.why}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  )
}

function Hosts(props: { title: string; hosts: readonly ConsequenceHost[]; none: string | null }) {
  if (props.hosts.length === 0) return props.none ? <p className="m-0 text-soft">{props.none}</p> : null
  return (
    <dl className="m-0 grid max-h-40 grid-cols-[4rem_1fr] gap-x-3 gap-y-1 overflow-auto">
      {props.hosts.map(({ host, held, units }, index) => (
        <div key={host.id} className="contents">
          <dt className="text-xs leading-5 text-soft">{index === 0 ? props.title : ''}</dt>
          <dd className="m-0">
            <HostLink host={host} /> {heldText(held)}
            {units.length > 0 ? <span className="block font-mono text-xs text-soft">{units.join(' ')}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
