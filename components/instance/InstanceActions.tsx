'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { InstanceDetail } from '@/server/api/instance/router'
import type { InstanceAction } from '@/server/api/permit/permits'
import type { Operation } from '@/server/engine/migration/state'
import type { PowerAction } from '@/server/engine/power/request'
import { claimTotalsText } from '../claim/amount/words'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { useMigrateDrawer } from '../migrate/address'
import { powerActionWords } from '../power/words'
import { operationWords } from '../step/words'
import { Button } from '../ui/Button'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { Menu } from '../ui/overlay/Menu'
import { showToast } from '../ui/overlay/Toasts'
import { instanceWords as words } from './words'

// Loaded when an action is requested.
const PowerDialog = lateOverlay(() => import('../power/PowerDialog').then((code) => code.PowerDialog))

/** In order of use; the first permitted one is the main button. */
const INSTANCE_ACTIONS: readonly InstanceAction[] = [
  'start',
  'live-migrate',
  'cold-migrate',
  'resize',
  'unshelve',
  'evacuate',
  'rebuild',
  'stop',
  'reboot',
  'pause',
  'resume',
  'delete',
]

const isPower = (action: InstanceAction): action is PowerAction => action in powerActionWords
const isOperation = (action: InstanceAction): action is Operation => action in operationWords
const labelOf = (action: InstanceAction, name: string) => {
  if (action === 'delete') return words.remove.verb(name)
  return isPower(action) ? powerActionWords[action].verb : operationWords[action].verb
}
const hintOf = (action: InstanceAction) => {
  if (action === 'delete') return undefined
  return isPower(action) ? powerActionWords[action].hint : operationWords[action].hint
}

/** One main button, the rest in a menu, each with its reason if unavailable. */
export function InstanceActions({ instance }: { instance: InstanceDetail }) {
  const { open } = useMigrateDrawer()
  const [deleting, setDeleting] = useState(false)
  const [power, setPower] = useState<PowerAction | null>(null)
  const act = (action: InstanceAction) => {
    if (isOperation(action)) open({ move: instance.id, operation: action })
    else if (isPower(action)) setPower(action)
    else setDeleting(true)
  }
  const isMain = (action: InstanceAction) =>
    isOperation(action) || (action === 'start' && instance.power?.differs === true)
  const main = INSTANCE_ACTIONS.find((action) => isMain(action) && instance.permitted[action].ok) ?? 'live-migrate'
  const mainPermit = instance.permitted[main]
  return (
    <>
      <Button variant="primary" disabledReason={mainPermit.ok ? null : mainPermit.why} onPress={() => act(main)}>
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
            hint: hintOf(action),
            danger: action === 'delete',
            disabledReason: permit.ok ? null : permit.why,
            onAction: () => act(action),
          }
        })}
      />
      {power ? <PowerDialog action={power} subjects={[instance]} onClose={() => setPower(null)} /> : null}
      {deleting ? <DeleteDialog instance={instance} onClose={() => setDeleting(false)} /> : null}
    </>
  )
}

function DeleteDialog({ instance, onClose }: { instance: InstanceDetail; onClose: () => void }) {
  const trpc = useTRPC()
  const remove = useMutation(
    trpc.instance.delete.mutationOptions({
      onSuccess: () => {
        showToast('flow', words.remove.accepted(instance.name), { detail: words.remove.acceptedMore })
        onClose()
      },
    }),
  )
  return (
    <MutationDialog
      danger
      needsReason
      onClose={onClose}
      title={words.remove.title(instance.name)}
      confirmLabel={words.remove.verb(instance.name)}
      typedName={instance.name}
      consequences={
        <div className="flex flex-col gap-2">
          <p className="m-0">{words.remove.means}</p>
          <p className="m-0">{words.remove.gives(claimTotalsText(instance.held))}</p>
        </div>
      }
      mutation={remove}
      onConfirm={(reason) => remove.mutate({ id: instance.id, reason })}
    />
  )
}
