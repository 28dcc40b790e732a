'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Ref } from '@/server/api/names/names'
import type { SharedStorageView } from '@/server/api/storage/router'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC, useTRPCClient } from '../console/trpc'
import { TextField } from '../ui/field/Field'
import { NumberField } from '../ui/field/NumberField'
import { Select } from '../ui/field/Select'
import { showToast } from '../ui/overlay/Toasts'
import { uiWords } from '../ui/words'
import { storageWords as words } from './words'

interface Props {
  readonly host: Ref
  /** The storage it has joined. */
  readonly mine: SharedStorageView | null
  readonly all: readonly SharedStorageView[]
  readonly onClose: () => void
}

const NEW = 'new'
const FIRST_GIB = 10_240

/** Joins the host to shared storage, existing or new, or removes it from the one that it uses. */
export function StorageDialog({ host, mine, all, onClose }: Props) {
  const [storage, setStorage] = useState<string>(mine?.id ?? all[0]?.id ?? NEW)
  const [name, setName] = useState('')
  const [gib, setGib] = useState(mine ? 0 : FIRST_GIB)
  const verb = mine ? words.leave : words.join
  const change = useChange({ host, isJoined: mine !== null, onDone: onClose })
  const isNew = mine === null && storage === NEW
  return (
    <MutationDialog
      needsReason
      onClose={onClose}
      title={uiWords.labelled(verb, host.name)}
      confirmLabel={verb}
      disabledReason={isNew && name.trim() === '' ? words.chooseFirst : null}
      consequences={
        <div className="flex flex-col gap-3">
          {mine ? null : (
            <Select
              label={words.choose}
              value={storage}
              onChange={setStorage}
              choices={[...all.map(({ id, name: label }) => ({ id, label })), { id: NEW, label: words.fresh }]}
            />
          )}
          {isNew ? <TextField label={words.name} value={name} onChange={setName} isRequired /> : null}
          {mine || isNew ? (
            <NumberField
              label={mine ? words.own : words.total}
              className="w-56"
              value={gib}
              minValue={mine ? 0 : 1}
              onChange={setGib}
            />
          ) : null}
          <p className="m-0">{mine ? words.leaves(host.name) : words.joins(host.name)}</p>
          <p className="m-0 text-soft">{words.empty}</p>
        </div>
      }
      mutation={change}
      onConfirm={(reason) => change.mutate({ storage: isNew ? null : storage, name, gib, reason: reason ?? '' })}
    />
  )
}

interface StorageChange {
  /** Null creates a new one. */
  readonly storage: string | null
  readonly name: string
  readonly gib: number
  readonly reason: string
}

function useChange({ host, isJoined, onDone }: { host: Ref; isJoined: boolean; onDone: () => void }) {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ storage, name, gib, reason }: StorageChange) => {
      // One request, so that a host that may not join leaves no empty storage behind.
      if (storage === null)
        return client.storage.joinNew.mutate({ host: host.id, name: name.trim(), totalGib: gib, reason })
      const ask = { host: host.id, storage, reason }
      return isJoined ? client.storage.leave.mutate({ ...ask, diskGib: gib }) : client.storage.join.mutate(ask)
    },
    onSuccess: () => {
      showToast('ok', (isJoined ? words.left : words.joined)(host.name))
      onDone()
    },
    onSettled: () => {
      void queries.invalidateQueries(trpc.storage.pathFilter())
      void queries.invalidateQueries(trpc.host.pathFilter())
    },
  })
}
