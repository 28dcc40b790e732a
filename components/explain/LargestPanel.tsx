import type { LargestView, WhyView } from '@/server/api/contract-look'
import { HostLink } from '../console/refs'
import { KeyValue } from '../ui/KeyValue'
import { Panel } from '../ui/Panel'
import { explainWords as words } from './words'

/** The most of each thing that some host still takes, the rest as asked. */
export function LargestPanel({ view }: { view: WhyView }) {
  return (
    <Panel title={words.largest}>
      <KeyValue
        facts={view.largest.map((largest) => ({
          key: words.axes[largest.axis],
          value: view.counts.hosts === 0 ? words.nothingThere : <Largest largest={largest} />,
        }))}
      />
    </Panel>
  )
}

function Largest({ largest: { shape, host, exact } }: { largest: LargestView }) {
  if (!shape) return <span className="text-soft">{exact ? words.nothingFits : words.nothingFound}</span>
  return (
    <span>
      {exact ? null : <span className="text-soft">{words.atLeast} </span>}
      <span className="font-medium">{words.shape(shape.vcpus, shape.memoryMib, shape.devices)}</span>
      {host ? (
        <span className="text-soft">
          {' '}
          {words.on} <HostLink host={host} />
        </span>
      ) : null}
    </span>
  )
}
