'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { InstanceAction, InstanceDetail } from '@/server/api/contract'
import type { Operation } from '@/server/engine/migration/state'
import { heldText } from '../claim/words'
import { Failure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { useMoveDrawer } from '../move/address'
import { operationWords } from '../step/words'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { Menu } from '../ui/Menu'
import { tell } from '../ui/Toasts'
import { instanceWords as words } from './words'

/** In the order in which one looks for them; the first that is permitted is the main button. */
const INSTANCE_ACTIONS: readonly InstanceAction[] = [
  'live-migrate',
  'cold-migrate',
  'resize',
  'unshelve',
  'evacuate',
  'rebuild',
  'delete',
]

const labelOf = (action: InstanceAction, name: string) =>
  action === 'delete' ? words.remove.verb(name) : operationWords[action].verb
const isMove = (action: InstanceAction): action is Operation => action !== 'delete'

/** One main button, the rest in a menu, each with its reason when it is not for now. */
export function InstanceActions({ instance }: { instance: InstanceDetail }) {
  const { open } = useMoveDrawer()
  const [deleting, setDeleting] = useState(false)
  const act = (action: InstanceAction) => {
    if (isMove(action)) open({ move: instance.id, operation: action })
    else setDeleting(true)
  }
  const main = INSTANCE_ACTIONS.find((action) => isMove(action) && instance.permitted[action].ok) ?? 'live-migrate'
  const mainPermit = instance.permitted[main]
  return (
    <>
      <Button look="primary" why={mainPermit.ok ? null : mainPermit.why} onPress={() => act(main)}>
        {labelOf(main, instance.name)}
      </Button>
      <Menu
        label={words.actions}
        trigger={<Button>{words.actions}</Button>}
        entries={INSTANCE_ACTIONS.filter((action) => action !== main).map((action) => {
          const permit = instance.permitted[action]
          return {
            id: action,
            label: labelOf(action, instance.name),
            hint: isMove(action) ? operationWords[action].hint : undefined,
            danger: action === 'delete',
            why: permit.ok ? null : permit.why,
            onAction: () => act(action),
          }
        })}
      />
      {deleting ? <DeleteDialog instance={instance} onClose={() => setDeleting(false)} /> : null}
    </>
  )
}

function DeleteDialog({ instance, onClose }: { instance: InstanceDetail; onClose: () => void }) {
  const trpc = useTRPC()
  const remove = useMutation(
    trpc.instance.delete.mutationOptions({
      onSuccess: () => {
        tell('flow', words.remove.accepted(instance.name), { detail: words.remove.acceptedMore })
        onClose()
      },
    }),
  )
  return (
    <ConfirmDialog
      isOpen
      danger
      needsReason
      onClose={onClose}
      title={words.remove.title(instance.name)}
      verb={words.remove.verb(instance.name)}
      typedName={instance.name}
      consequences={
        <div className="flex flex-col gap-2">
          <p className="m-0">{words.remove.means}</p>
          <p className="m-0">{words.remove.gives(heldText(instance.held))}</p>
        </div>
      }
      isPending={remove.isPending}
      error={
        remove.error ? (
          <Failure error={remove.error} title={consoleWords.error.action(words.remove.verb(instance.name))} />
        ) : null
      }
      onConfirm={(reason) => remove.mutate({ id: instance.id, reason })}
    />
  )
}
