import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AlarmsView, AlarmView } from '@/server/api/alarm/router'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { RadioList } from '../ui/field/RadioList'
import { showToast } from '../ui/overlay/Toasts'
import { deliveryWords, muteWords, nameText, alarmWords as words } from './words'

export type AlarmAction =
  | { readonly do: 'acknowledge' | 'mute'; readonly alarm: AlarmView }
  | { readonly do: 'unmute'; readonly mute: AlarmsView['mutes'][number] }
  | { readonly do: 'test'; readonly channel: AlarmsView['channels'][number] }

interface DialogParts {
  readonly confirmLabel: string
  readonly description: string
  readonly mutation: { readonly isPending: boolean; readonly error: unknown }
  readonly send: (reason: string) => void
  readonly more?: ReactNode
}

type Hours = keyof typeof words.times

/** Asks for the reason of an alarm action. */
export function AlarmDialog({ asking, onClose }: { readonly asking: AlarmAction; readonly onClose: () => void }) {
  const { confirmLabel, description, more, mutation, send } = useDialogParts(asking, onClose)
  return (
    <MutationDialog
      onClose={onClose}
      confirmLabel={confirmLabel}
      needsReason
      consequences={
        <div className="flex flex-col gap-3">
          <p className="m-0">{description}</p>
          {more}
        </div>
      }
      mutation={mutation}
      onConfirm={(reason = '') => send(reason)}
    />
  )
}

function useDialogParts(asking: AlarmAction, onClose: () => void): DialogParts {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [hours, setHours] = useState<Hours>('4')
  const onSuccess = (done: string) => () => {
    showToast('ok', done)
    void queries.invalidateQueries(trpc.alarm.pathFilter())
    onClose()
  }
  const acknowledge = useMutation(trpc.alarm.acknowledge.mutationOptions({ onSuccess: onSuccess(words.acknowledged) }))
  const mute = useMutation(trpc.alarm.mute.mutationOptions({ onSuccess: onSuccess(words.muteDone) }))
  const unmute = useMutation(trpc.alarm.unmute.mutationOptions({ onSuccess: onSuccess(muteWords.unmuted) }))
  const test = useMutation(trpc.alarm.test.mutationOptions({ onSuccess: onSuccess(deliveryWords.tested) }))
  switch (asking.do) {
    case 'acknowledge': {
      const { id, title } = asking.alarm
      const send = (reason: string) => acknowledge.mutate({ ids: [id], reason })
      return {
        mutation: acknowledge,
        confirmLabel: words.acknowledge,
        description: words.acknowledges(title, nameText(asking.alarm)),
        send,
      }
    }
    case 'mute': {
      const { kind, subject, title } = asking.alarm
      const send = (reason: string) => mute.mutate({ kind, subject: subject || null, hours: Number(hours), reason })
      const more = <HoursField value={hours} onChange={setHours} />
      return {
        mutation: mute,
        confirmLabel: words.mute,
        description: words.mutes(title, nameText(asking.alarm)),
        send,
        more,
      }
    }
    case 'unmute': {
      const { id, title } = asking.mute
      const send = (reason: string) => unmute.mutate({ id, reason })
      return { mutation: unmute, confirmLabel: muteWords.unmute, description: muteWords.unmutes(title), send }
    }
    case 'test': {
      const { channel } = asking
      const channelName = deliveryWords.channels[channel]
      const send = (reason: string) => test.mutate({ channel, reason })
      return {
        mutation: test,
        confirmLabel: deliveryWords.testOf(channelName),
        description: deliveryWords.testsIt(channelName),
        send,
      }
    }
  }
}

const HoursField = ({ value, onChange }: { readonly value: Hours; readonly onChange: (hours: Hours) => void }) => (
  <RadioList
    label={words.hours}
    value={value}
    onChange={onChange}
    choices={(Object.keys(words.times) as Hours[]).map((id) => ({ id, ...words.times[id] }))}
  />
)
