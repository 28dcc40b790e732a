'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SimulatorFault, SimulatorHost } from '@/server/api/simulator/controls'
import { useTRPC } from '../../console/trpc'
import { Button } from '../../ui/Button'
import { PlainSelect } from '../../ui/field/PlainSelect'
import { uiWords } from '../../ui/words'
import { faultWords as words } from './words'

type DeviceFaultKind = keyof typeof words.devices

interface DeviceFaultProps {
  readonly host: string
  readonly why: string | null
  readonly simulator: SimulatorHost
  readonly onFault: (fault: SimulatorFault) => void
}

const MAX_DEVICES = 500 // devices of one host

/** Removes a device from a simulated host, or makes an instance never detach it. */
export function DeviceFault({ host, why, simulator, onFault }: DeviceFaultProps) {
  const trpc = useTRPC()
  const list = useQuery(trpc.device.list.queryOptions({ host, sort: 'unit', limit: MAX_DEVICES }))
  const [picked, pick] = useState('')
  const devices = list.data?.rows ?? []
  const unit = picked || (devices[0]?.unit ?? '')
  const { missing, keptAttached } = simulator
  if (list.data && devices.length === 0) return <p className="m-0 text-xs text-soft">{words.noDevice}</p>
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-end gap-2">
        <PlainSelect
          label={words.device}
          className="w-96 max-w-full"
          value={unit}
          onChange={pick}
          choices={devices.map((each) => ({
            id: each.unit,
            label: words.deviceOf(each.unit, each.label, each.holder?.name ?? null),
          }))}
        />
        {(Object.keys(words.devices) as DeviceFaultKind[]).map((action) => (
          <Button
            key={action}
            disabledReason={why ?? (unit === '' ? words.pickDevice : null)}
            onPress={() => onFault({ do: action, host, unit })}
          >
            {words.devices[action]}
          </Button>
        ))}
      </div>
      {missing.length > 0 ? <p className="m-0 text-xs text-soft">{words.missing(uiWords.list(missing))}</p> : null}
      {keptAttached.length > 0 ? (
        <p className="m-0 text-xs text-soft">
          {words.keptAttached(uiWords.list(keptAttached.map((each) => each.unit)))}
        </p>
      ) : null}
    </div>
  )
}
