import { useQuery } from '@tanstack/react-query'
import type { LargestRow } from '@/server/api/capacity/router'
import { largestWords } from '../claim/amount/words'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { writeSpecs } from '../explain/specs'
import { TextLink } from '../ui/Link'
import { Panel } from '../ui/Panel'
import { overviewWords as words } from './words'

const REFETCH_INTERVAL_MS = 60_000 // rarely, because it searches the whole fleet

/** Fragmentation of free capacity: the largest instance of each usual kind, beside everything free. */
export function LargestPanel() {
  const trpc = useTRPC()
  const query = useQuery(trpc.capacity.largest.queryOptions(undefined, { refetchInterval: REFETCH_INTERVAL_MS }))
  return (
    <Panel title={words.largest} aside={words.largestMore}>
      <Loaded query={query} what={words.largest} minHeight={72}>
        {(rows) => (
          <dl className="m-0 grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1.5 text-sm">
            {rows.map((row) => (
              <Row key={row.kind} row={row} />
            ))}
          </dl>
        )}
      </Loaded>
    </Panel>
  )
}

function Row({ row: { kind, largest, extraSpecs, freeCpus } }: { row: LargestRow }) {
  const { shape, host, exact } = largest
  return (
    <>
      <dt className="text-soft">{words.largestKinds[kind]}</dt>
      <dd className="m-0 flex flex-wrap items-baseline gap-x-1.5">
        {shape ? (
          <>
            {exact ? null : <span className="text-soft">{largestWords.atLeast}</span>}
            <TextLink href={placesOf(shape, extraSpecs)}>
              {largestWords.shape(shape.vcpus, shape.memoryMib, shape.devices)}
            </TextLink>
            {host ? <span className="text-soft">{largestWords.on}</span> : null}
            {host ? <HostLink host={host} /> : null}
          </>
        ) : (
          <span className="text-soft">{whyNone(freeCpus, exact)}</span>
        )}
        {freeCpus > 0 ? <span className="text-faint">{words.largestOf(freeCpus)}</span> : null}
      </dd>
    </>
  )
}

function whyNone(freeCpus: number, exact: boolean): string {
  if (freeCpus === 0) return words.nothingFree
  return exact ? largestWords.nothingFits : largestWords.nothingFound
}

/** Link to the fleet shaded by where one of that size still fits. */
function placesOf({ vcpus, memoryMib }: NonNullable<LargestRow['largest']['shape']>, specs: LargestRow['extraSpecs']) {
  return paths.overview({
    shade: 'room',
    vcpus: String(vcpus),
    memory: String(memoryMib),
    specs: writeSpecs(specs) || undefined,
  })
}
