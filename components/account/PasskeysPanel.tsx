'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountView, PasskeyView } from '@/server/api/session/router'
import { MutationDialog } from '../console/MutationDialog'
import { canUsePasskeys } from '../console/passkey'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { TextField } from '../ui/field/Field'
import { Dialog } from '../ui/overlay/Dialog'
import { showToast } from '../ui/overlay/Toasts'
import { Panel } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { addPasskey } from './auth'
import { SubmitForm } from './SubmitForm'
import { passkeyWords as words } from './words'

interface PasskeysPanelProps {
  readonly account: Pick<AccountView, 'passkeys' | 'passkeyDomain'>
  readonly onChange: () => void
}

/** Passkeys that sign in without the password: list, add, remove. */
export function PasskeysPanel({ account, onChange }: PasskeysPanelProps) {
  const { passkeys, passkeyDomain } = account
  const [task, setTask] = useState<PasskeyView | 'add' | null>(null)
  const close = () => setTask(null)
  return (
    <Panel title={words.title}>
      <div className="flex flex-col items-start gap-3">
        <p className="m-0">{words.facts}</p>
        {passkeys.length > 0 ? (
          <div className="w-full">
            <Table frameless label={words.title} columns={columns(setTask)} rows={passkeys} />
          </div>
        ) : (
          <p className="m-0 text-soft">{words.none}</p>
        )}
        <Button disabledReason={whyNot(passkeyDomain)} onPress={() => setTask('add')}>
          {words.add}
        </Button>
      </div>
      {task === 'add' ? (
        <AddDialog onChange={onChange} onClose={close} />
      ) : task ? (
        <RemoveDialog passkey={task} onChange={onChange} onClose={close} />
      ) : null}
    </Panel>
  )
}

/** Renders in the browser only, after the account has loaded. */
function whyNot(domain: string | null): string | null {
  if (domain === null) return words.nowhere
  return canUsePasskeys(domain) ? null : words.notHere(domain)
}

const nameOf = ({ name }: PasskeyView) => name || words.nameless

const columns = (onRemove: (passkey: PasskeyView) => void): readonly Column<PasskeyView>[] => [
  { ...{ id: 'name', head: words.head.name, fixed: true, minWidth: 120 }, value: nameOf },
  {
    ...{ id: 'added', head: words.head.added, width: 110, timestamp: true },
    value: (row) => row.createdAt,
  },
  {
    ...{ id: 'actions', head: words.head.actions, width: 90, keep: true },
    cell: (row) => (
      <Button size="sm" onPress={() => onRemove(row)}>
        {words.remove}
      </Button>
    ),
  },
]

interface TaskProps {
  readonly onChange: () => void
  readonly onClose: () => void
}

function AddDialog({ onChange, onClose }: TaskProps) {
  const [asked, setAsked] = useState({ name: '', password: '' })
  const done = () => {
    showToast('ok', words.done)
    onChange()
    onClose()
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.add}>
      <SubmitForm
        submitLabel={words.confirm}
        disabledReason={asked.name.trim() === '' || asked.password === '' ? words.fill : null}
        submit={() => addPasskey({ ...asked, name: asked.name.trim() })}
        onDone={done}
      >
        <TextField
          label={words.name}
          help={words.nameHelp}
          autoComplete="off"
          value={asked.name}
          onChange={(name) => setAsked({ ...asked, name })}
          autoFocus
        />
        <TextField
          type="password"
          label={words.password}
          autoComplete="current-password"
          value={asked.password}
          onChange={(password) => setAsked({ ...asked, password })}
        />
      </SubmitForm>
    </Dialog>
  )
}

function RemoveDialog({ passkey, onChange, onClose }: TaskProps & { readonly passkey: PasskeyView }) {
  const trpc = useTRPC()
  const remove = useMutation(
    trpc.session.removePasskey.mutationOptions({
      onSuccess: () => {
        showToast('ok', words.removed)
        onChange()
        onClose()
      },
    }),
  )
  return (
    <MutationDialog
      onClose={onClose}
      title={words.removeOf(nameOf(passkey))}
      confirmLabel={words.remove}
      danger
      consequences={<p className="m-0">{words.removes(nameOf(passkey))}</p>}
      mutation={remove}
      onConfirm={() => remove.mutate({ passkey: passkey.id })}
    />
  )
}
