'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { INSTANCE_LIST } from '@/lists/instance'
import type { InstanceDetail } from '@/server/api/instance/router'
import { useOperatorDenial } from '../console/denial'
import { ActionFailure } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { faultWords } from '../host/fault/words'
import { PowerPanel } from '../power/PowerPanel'
import { Button } from '../ui/Button'
import { NumberField } from '../ui/field/NumberField'
import { gib, mib } from '../ui/format'
import { KeyValue } from '../ui/KeyValue'
import { showToast } from '../ui/overlay/Toasts'
import { Panel } from '../ui/Panel'
import { uiWords } from '../ui/words'
import { instanceWords, vmStateBadges } from './words'

const words = instanceWords.facts
const MIB = 1024 * 1024

export function InstanceFacts({ instance }: { instance: InstanceDetail }) {
  const { flavorFull: flavor, imageFull: image } = instance
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <Panel title={uiWords.named(words.flavor, flavor.name)}>
        <KeyValue
          facts={[
            { key: INSTANCE_LIST.columns.vcpus.head, value: flavor.vcpus },
            { key: INSTANCE_LIST.columns.memory.head, value: mib(flavor.memoryMib) },
            { key: INSTANCE_LIST.columns.disk.head, value: gib(flavor.diskGib) },
            { key: words.extraSpecs, value: <Pairs of={flavor.extraSpecs} /> },
          ]}
        />
      </Panel>
      <Panel title={uiWords.named(words.image, image.name)}>
        <KeyValue facts={[{ key: words.properties, value: <Pairs of={image.properties} /> }]} />
      </Panel>
      <PowerPanel power={instance.power} recorded={vmStateBadges[instance.vmState].label} />
      <Panel title={words.place}>
        <KeyValue
          facts={[
            { key: INSTANCE_LIST.columns.zone.head, value: instance.zone ?? words.none },
            {
              key: INSTANCE_LIST.columns.group.head,
              value: instance.group ? uiWords.list([instance.group.name, instance.groupPolicy]) : words.none,
            },
            { key: words.generation, value: instance.generation },
          ]}
        />
      </Panel>
      {instance.dirtyBytesPerS === null ? null : (
        <DirtyRate id={instance.id} name={instance.name} bytesPerS={instance.dirtyBytesPerS} />
      )}
    </div>
  )
}

function Pairs({ of }: { of: Readonly<Record<string, string>> }) {
  const entries = Object.entries(of)
  if (entries.length === 0) return <span className="text-faint">{words.none}</span>
  return (
    <ul className="m-0 list-none p-0 font-mono text-xs">
      {entries.map(([key, value]) => (
        <li key={key}>
          <span className="text-soft">{key}</span> = {value}
        </li>
      ))}
    </ul>
  )
}

/** Simulated instances only: makes a live migration slow, or unable to converge. */
function DirtyRate({ id, name, bytesPerS }: { id: string; name: string; bytesPerS: number }) {
  const trpc = useTRPC()
  const why = useOperatorDenial()
  const [mibPerS, setRate] = useState(Math.round(bytesPerS / MIB))
  const fault = useMutation(
    trpc.simulator.fault.mutationOptions({
      onSuccess: () => showToast('ok', faultWords.done, { detail: faultWords.doneMore(name) }),
    }),
  )
  return (
    <Panel title={words.simulated}>
      <div className="flex items-end gap-2">
        <NumberField
          label={words.dirty}
          help={words.dirtyHelp}
          className="max-w-72"
          value={mibPerS}
          onChange={setRate}
          minValue={0}
        />
        <Button
          className="mb-10"
          disabledReason={why}
          onPress={() => fault.mutate({ do: 'dirty-rate', instance: id, bytesPerS: mibPerS * MIB })}
        >
          {words.set}
        </Button>
      </div>
      <ActionFailure error={fault.error} what={words.simulated} />
    </Panel>
  )
}
