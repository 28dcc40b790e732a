import type { HostMapView, MapHolder, MapNumaNode } from '@/server/api/host/map'
import { mib, pageSize, shortCount } from '../../ui/format'
import { Meter, type Segment, type SegmentKind } from '../../ui/Meter'
import { uiWords } from '../../ui/words'
import { DeviceList } from './DeviceList'
import { instancesIn } from './instances'
import { PlaceButton } from './PlaceButton'
import type { MapUnit } from './places'
import { mapWords } from './words'

export interface NodePanelProps {
  readonly node: MapNumaNode
  readonly holders: HostMapView['holders']
  readonly units: ReadonlyMap<string, MapUnit>
  readonly selectedUnit: string | null
}

export function NodePanel({ node, holders, units, selectedUnit }: NodePanelProps) {
  const threads = node.cores.flatMap((core) => core.threads)
  const dedicated = threads.filter((cpu) => cpu.pool === 'dedicated' || cpu.pool === 'unreported')
  const pinned = dedicated.filter((cpu) => cpu.holders.length > 0).length
  const shared = threads.filter((cpu) => cpu.pool === 'shared').length
  return (
    <section
      aria-label={mapWords.cell(node.id)}
      className="flex min-w-0 flex-col gap-2 rounded-lg border border-line bg-surface p-3"
    >
      <header className="flex items-baseline justify-between gap-2">
        <h2 className="m-0 text-sm font-semibold">
          {mapWords.cell(node.id)}
          {node.socket === null ? null : (
            <span className="pl-1.5 text-xs font-normal text-faint">{mapWords.socket(node.socket)}</span>
          )}
        </h2>
        <span className="text-xs text-soft">{mapWords.pinned(pinned, dedicated.length)}</span>
      </header>
      <Bars cell={node} holders={holders} />
      <fieldset className="m-0 flex min-w-0 flex-wrap gap-1.5 border-0 p-0" aria-label={mapWords.cpus}>
        {node.cores.map((core) => (
          <span
            key={core.threads[0]?.id}
            data-core=""
            className="inline-flex flex-col gap-px rounded-[4px] bg-sunken p-[2px] ring-1 ring-line/70"
          >
            {core.threads.map((cpu) => {
              const place = units.get(`cpu:${cpu.id}`)
              return place ? (
                <PlaceButton key={cpu.id} place={place} text={String(cpu.id)} kept={selectedUnit === place.unit} />
              ) : null
            })}
          </span>
        ))}
      </fieldset>
      {shared > 0 ? <p className="m-0 text-xs text-soft">{mapWords.sharedPool(shared, node.sharedUsed)}</p> : null}
      {shared === 0 && node.sharedUsed > 0 ? (
        <p className="m-0 text-xs text-soft">{mapWords.floating(node.sharedUsed)}</p>
      ) : null}
      <DeviceList devices={node.devices} units={units} selectedUnit={selectedUnit} />
      {node.physnets.length > 0 ? <p className="m-0 text-xs text-faint">{mapWords.networks(node.physnets)}</p> : null}
    </section>
  )
}

function Bars({ cell, holders }: { cell: MapNumaNode; holders: readonly MapHolder[] }) {
  return (
    <div className="grid grid-cols-[minmax(4.75rem,auto)_minmax(4rem,1fr)_auto] items-center gap-x-2 gap-y-1 text-xs">
      <Bar
        label={mapWords.memory}
        used={cell.memoryUsedMib}
        total={cell.memoryMib}
        segments={segmentsOf(cell.memoryBy, holders, 0)}
        of={instancesIn(cell.memoryBy, holders)}
        format={mib}
      />
      <Bar
        label={mapWords.ordinary}
        used={cell.ordinaryUsedMib}
        total={cell.ordinaryMib}
        segments={segmentsOf(cell.pages[0]?.by ?? [], holders, 0).map(inMib(cell.pages[0]?.sizeKib ?? 1024))}
        of={instancesIn(cell.pages[0]?.by ?? [], holders)}
        format={mib}
      />
      {cell.pages.slice(1).map((pool) => (
        <Bar
          key={pool.sizeKib}
          label={mapWords.pages(pageSize(pool.sizeKib))}
          used={pool.used === null ? null : pool.used + pool.reserved}
          total={pool.total}
          segments={segmentsOf(pool.by, holders, pool.reserved)}
          of={instancesIn(pool.by, holders)}
          format={shortCount}
        />
      ))}
    </div>
  )
}

const inMib =
  (pageKib: number) =>
  (segment: Segment): Segment => ({ ...segment, amount: (segment.amount * pageKib) / 1024 })

interface BarProps {
  readonly label: string
  /** Null: not reported. */
  readonly used: number | null
  readonly total: number
  readonly segments: readonly Segment[]
  readonly format: (value: number) => string
  /** The holders of its segments. */
  readonly of: string
}

function Bar({ label, used, total, segments, format, of }: BarProps) {
  const text = uiWords.share(used === null ? uiWords.unknown : format(used), format(total))
  const parts = segments.reduce((sum, { amount }) => sum + amount, 0)
  // Used but held by no instance shown: the host itself, and instances bound to no node.
  const rest: Segment = { kind: 'shared', amount: Math.max(0, (used ?? 0) - parts) }
  return (
    <>
      <span className="whitespace-nowrap text-soft">{label}</span>
      <span data-instance={of || undefined} className="rounded-sm data-[hot]:outline-1 data-[hot]:outline-accent">
        <Meter
          label={label}
          text={text}
          total={total}
          segments={[...segments.filter(({ kind }) => kind !== 'shared'), rest]}
        />
      </span>
      <span className="min-w-[6.75rem] tracking-[-0.01em] text-right text-soft">{text}</span>
    </>
  )
}

function segmentsOf(
  amounts: MapNumaNode['memoryBy'],
  holders: readonly MapHolder[],
  reserved: number,
): readonly Segment[] {
  const sums: Record<SegmentKind, number> = { reserved, held: 0, outgoing: 0, incoming: 0, shared: 0 }
  for (const { holder, amount } of amounts) sums[holders[holder]?.mark ?? 'held'] += amount
  return Object.entries(sums).map(([kind, amount]) => ({ kind: kind as SegmentKind, amount }))
}
