'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DriverOperationKind, SimulatorFault, SimulatorHost } from '@/server/api/simulator/controls'
import { useOperatorDenial } from '../../console/denial'
import { ActionFailure } from '../../console/Failure'
import { useTRPC } from '../../console/trpc'
import { StateBadge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { NumberField } from '../../ui/field/NumberField'
import { Select } from '../../ui/field/Select'
import { showToast } from '../../ui/overlay/Toasts'
import { Panel } from '../../ui/Panel'
import { uiWords } from '../../ui/words'
import { DeviceFault } from './DeviceFault'
import { driverOperationWords, faultWords as words } from './words'

const MIB = 1024 * 1024
const SIMPLE = ['go-silent', 'return', 'fence', 'kill', 'power-cycle', 'clear-faults'] as const
type Outcome = Extract<SimulatorFault, { do: 'next-verb' }>['then']

/** Faults go to the simulator, never to the records, so that they have the consequences of a real fault. */
export function FaultPanel({ host, simulator }: { host: { id: string; name: string }; simulator: SimulatorHost }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const why = useOperatorDenial()
  const fault = useMutation(
    trpc.simulator.fault.mutationOptions({
      onSuccess: () => {
        showToast('ok', words.done, { detail: words.doneMore(host.name) })
        void queries.invalidateQueries(trpc.host.byId.queryFilter({ id: host.id }))
      },
    }),
  )
  const planned = uiWords.list(
    simulator.planned.map(({ verb, then }) => uiWords.labelled(driverOperationWords[verb], then)),
  )
  return (
    <Panel title={words.title} aside={<StateBadge badge={words.power[simulator.power]} />}>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap gap-2">
          {SIMPLE.map((kind) => (
            <Button
              key={kind}
              disabledReason={why}
              variant={kind === 'kill' ? 'warning' : 'plain'}
              onPress={() => fault.mutate({ do: kind, host: host.id })}
            >
              {words.do[kind].label}
            </Button>
          ))}
        </div>
        <NextOperationFault host={host.id} disabledReason={why} onPlan={fault.mutate} />
        <DeviceFault host={host.id} why={why} simulator={simulator} onFault={fault.mutate} />
        <Bandwidth host={host.id} why={why} bytesPerS={simulator.bandwidthBytesPerS} onSet={fault.mutate} />
        <p className="m-0 text-xs text-soft">
          {words.planned}: {planned || words.nothingPlanned}
        </p>
        <ActionFailure error={fault.error} what={words.title} />
      </div>
    </Panel>
  )
}

interface NextOperationFaultProps {
  readonly host: string
  readonly disabledReason: string | null
  readonly onPlan: (fault: SimulatorFault) => void
}

function NextOperationFault({ host, disabledReason, onPlan }: NextOperationFaultProps) {
  const [verb, setVerb] = useState<DriverOperationKind>('transfer')
  const [outcome, setOutcome] = useState<Outcome>('fail')
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        label={words.next}
        className="w-44"
        value={verb}
        onChange={setVerb}
        choices={(Object.keys(driverOperationWords) as DriverOperationKind[]).map((id) => ({
          id,
          label: driverOperationWords[id],
        }))}
      />
      <Select
        label={words.outcome}
        className="w-52"
        value={outcome}
        onChange={setOutcome}
        choices={(Object.keys(words.outcomes) as Outcome[]).map((id) => ({ id, label: words.outcomes[id] }))}
      />
      {/* biome-ignore lint/suspicious/noThenProperty: the fault plan's own word; nobody awaits a fault */}
      <Button disabledReason={disabledReason} onPress={() => onPlan({ do: 'next-verb', host, verb, then: outcome })}>
        {words.plan}
      </Button>
    </div>
  )
}

function Bandwidth(props: {
  readonly host: string
  readonly why: string | null
  readonly bytesPerS: number
  readonly onSet: (fault: SimulatorFault) => void
}) {
  const [mibPerS, setRate] = useState(Math.round(props.bytesPerS / MIB))
  return (
    <div className="flex flex-wrap items-end gap-2">
      <NumberField label={words.bandwidth} className="w-44" value={mibPerS} onChange={setRate} minValue={1} />
      <Button
        disabledReason={props.why}
        onPress={() => props.onSet({ do: 'bandwidth', host: props.host, bytesPerS: mibPerS * MIB })}
      >
        {words.set}
      </Button>
    </div>
  )
}
