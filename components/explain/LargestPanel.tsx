import type { LargestView } from '@/server/api/explain/largest'
import type { ExplainView } from '@/server/api/explain/router'
import { largestWords } from '../claim/amount/words'
import { Loaded } from '../console/Failure'
import { HostLink } from '../console/refs'
import { KeyValue } from '../ui/KeyValue'
import { Panel } from '../ui/Panel'
import type { NearestQuery } from './answer'
import { explainWords as words } from './words'

/** The maximum of each amount that fits on some host, with the rest as requested. */
export function LargestPanel({ view, query }: { view: ExplainView; query: NearestQuery }) {
  return (
    <Panel title={words.largest}>
      {query.isPending ? (
        <Awaited axes={view.axes} />
      ) : (
        <Loaded query={query} what={words.largestWhat}>
          {({ largest }) => (
            <KeyValue
              facts={largest.map((each) => ({
                key: words.axes[each.axis],
                value: view.counts.hosts === 0 ? words.nothingThere : <Largest largest={each} />,
              }))}
            />
          )}
        </Loaded>
      )}
    </Panel>
  )
}

/** Placeholder lines, so that the result moves nothing. */
function Awaited({ axes }: Pick<ExplainView, 'axes'>) {
  const value = <span className="text-faint">{words.awaited}</span>
  return <KeyValue facts={axes.map((axis) => ({ key: words.axes[axis], value }))} />
}

function Largest({ largest: { shape, host, exact } }: { largest: LargestView }) {
  if (!shape) return <span className="text-soft">{exact ? largestWords.nothingFits : largestWords.nothingFound}</span>
  return (
    <span>
      {exact ? null : <span className="text-soft">{largestWords.atLeast} </span>}
      <span className="font-medium">{largestWords.shape(shape.vcpus, shape.memoryMib, shape.devices)}</span>
      {host ? (
        <span className="text-soft">
          {' '}
          {largestWords.on} <HostLink host={host} />
        </span>
      ) : null}
    </span>
  )
}
