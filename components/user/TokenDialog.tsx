'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '@/server/api/permit/roles'
import type { TokenView } from '@/server/api/token/router'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { Copyable } from '../ui/Copyable'
import { Checkbox } from '../ui/field/Checkbox'
import { TextField } from '../ui/field/Field'
import { NumberField } from '../ui/field/NumberField'
import { Note } from '../ui/Message'
import { Dialog } from '../ui/overlay/Dialog'
import { GrantsField } from './GrantsField'
import { RoleField, useDone } from './parts'
import { tokenWords as words } from './words'

const DAYS = 90
const DAYS_MAX = 3_650

const NEW_TOKEN = { name: '', project: '', account: '', role: 'viewer' as Role, days: DAYS, expires: true }

/** Asks, then shows the token once: if the second dialog is closed without copying it, a new one is needed. */
export function AddTokenDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC()
  const done = useDone(() => {})
  const [asked, setAsked] = useState(NEW_TOKEN)
  const [grants, setGrants] = useState<readonly string[]>([])
  const add = useMutation(trpc.token.create.mutationOptions({ onSuccess: () => done(words.createdTitle) }))
  const { name, project, account, role, days, expires } = asked
  if (add.data) return <ShownToken name={name} token={add.data.token} onClose={onClose} />
  const { columns } = words
  return (
    <MutationDialog
      onClose={onClose}
      confirmLabel={words.add}
      needsReason
      disabledReason={name.trim() === '' ? words.fill : null}
      consequences={
        <div className="flex flex-col gap-3">
          <TextField
            label={columns.name}
            help={words.nameHelp}
            autoComplete="off"
            value={name}
            onChange={(next) => setAsked({ ...asked, name: next })}
          />
          <RoleField value={role} onChange={(next) => setAsked({ ...asked, role: next })} />
          <GrantsField value={grants} onChange={setGrants} />
          <TextField
            label={columns.project}
            help={words.projectHelp}
            autoComplete="off"
            value={project}
            onChange={(next) => setAsked({ ...asked, project: next })}
          />
          <TextField
            label={columns.account}
            help={words.accountHelp}
            autoComplete="off"
            value={account}
            onChange={(next) => setAsked({ ...asked, account: next })}
          />
          <Checkbox
            label={words.noExpiry}
            isSelected={!expires}
            onChange={(never) => setAsked({ ...asked, expires: !never })}
          />
          {expires ? (
            <NumberField
              label={words.days}
              minValue={1}
              maxValue={DAYS_MAX}
              value={days}
              onChange={(next) => setAsked({ ...asked, days: next })}
            />
          ) : null}
        </div>
      }
      mutation={add}
      onConfirm={(reason = '') => {
        const named = account.trim() === '' ? {} : { account: account.trim() }
        add.mutate({ ...named, name, project, role, grants: [...grants], days: expires ? days : null, reason })
      }}
    />
  )
}

function ShownToken({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title={words.createdTitle} foot={<Button onPress={onClose}>{words.close}</Button>}>
      <div className="flex flex-col gap-3">
        <Note tone="warn" shape="triangle">
          {words.once}
        </Note>
        <div className="rounded-md border border-line bg-sunken p-3">
          <Copyable text={token} label={words.tokenOf(name)} whole />
        </div>
      </div>
    </Dialog>
  )
}

export function RevokeDialog({ token, onClose }: { token: TokenView; onClose: () => void }) {
  const trpc = useTRPC()
  const done = useDone(onClose)
  const revoke = useMutation(trpc.token.revoke.mutationOptions({ onSuccess: () => done(words.revoked(token.name)) }))
  return (
    <MutationDialog
      onClose={onClose}
      title={words.revokeOf(token.name)}
      confirmLabel={words.revoke}
      danger
      needsReason
      consequences={<p className="m-0">{words.revokes(token.name)}</p>}
      mutation={revoke}
      onConfirm={(reason = '') => revoke.mutate({ name: token.name, reason })}
    />
  )
}
