import type { PlannedMigration } from '@/server/api/run/view'
import { cx } from '../ui/cx'
import { mib } from '../ui/format'
import { Glyph } from '../ui/Glyph'
import { Meter } from '../ui/Meter'
import { uiWords } from '../ui/words'
import { type Block, type Column, capacityOf, cpusOf, memoryBy, usedBy } from './placement-steps'
import { drainWords } from './words'

const words = drainWords.placement
const PX_PER_CPU = 6
const MIN_BLOCK_PX = 22
const MAX_BLOCK_PX = 160

export interface PlacementGridProps {
  readonly columns: readonly Column[]
  /** The host being drained. */
  readonly drained: string
  /** The step that led here, and the next one. */
  readonly last: PlannedMigration | null
  readonly next: PlannedMigration | null
}

/** Hosts as columns, instances as blocks as tall as their CPUs. Words mark the last and the next migration. */
export function PlacementGrid({ columns, drained, last, next }: PlacementGridProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and holds no link is scrolled by keys from here
    <section data-placement aria-label={words.title} tabIndex={0} className="overflow-x-auto rounded-sm p-0.5 pb-2">
      <ul aria-label={words.hosts} className="m-0 flex list-none items-stretch gap-2 p-0">
        {columns.map((column) => (
          <li
            key={column.host.id}
            className={cx(
              'flex w-40 shrink-0 flex-col gap-1.5 rounded-lg border bg-surface p-2',
              column.host.id === drained ? 'border-accent' : 'border-line',
            )}
          >
            <Head column={column} drained={column.host.id === drained} />
            <ul aria-label={column.host.name} className="m-0 flex flex-1 list-none flex-col justify-end gap-1 p-0">
              {column.blocks.length === 0 ? (
                <li className="py-2 text-center text-xs text-faint">{words.empty}</li>
              ) : null}
              {column.blocks.map((block) => (
                <Tile key={block.instance.id} block={block} last={last} next={next} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Head({ column, drained }: { column: Column; drained: boolean }) {
  const used = usedBy(column.blocks)
  const total = capacityOf(column)
  return (
    <div className="flex flex-col gap-1">
      <span className="flex flex-wrap items-baseline justify-between gap-x-1">
        <span className="truncate text-sm font-medium">{column.host.name}</span>
        {drained ? <span className="text-2xs text-accent">{words.drained}</span> : null}
      </span>
      <Meter
        label={column.host.name}
        text={words.cpus(used, total)}
        total={total}
        segments={[{ kind: 'held', amount: used }]}
      />
      <span className="text-2xs text-soft">
        {words.cpus(used, total)}
        <br />
        {words.memory(mib(memoryBy(column.blocks)), mib(column.capacity.memoryMib))}
      </span>
    </div>
  )
}

function Tile(props: { block: Block; last: PlannedMigration | null; next: PlannedMigration | null }) {
  const { block, last, next } = props
  const cpus = cpusOf(block.held)
  const moved = last?.instance.id === block.instance.id
  const goes = next?.instance.id === block.instance.id
  const mark = block.stopped ? words.stopped : moved ? words.moved : goes ? words.next : null
  return (
    <li
      style={{ height: Math.min(MAX_BLOCK_PX, Math.max(MIN_BLOCK_PX, cpus * PX_PER_CPU)) }}
      title={uiWords.list([words.instance(block.instance.name, cpus), mark])}
      className={cx(
        'flex items-start gap-1.5 overflow-hidden rounded-[3px] px-1.5 py-0.5 text-2xs motion-safe:transition-colors motion-safe:duration-300',
        moved
          ? 'bg-accent-fill text-on-fill'
          : goes
            ? 'bg-map-outgoing text-[oklch(0.2_0.02_60)]'
            : 'bg-map-held-alt text-map-on-held',
      )}
    >
      {block.stopped ? <Glyph shape="moon" className="mt-[3px]" /> : null}
      {moved && !block.stopped ? <Glyph shape="into" className="mt-[3px]" /> : null}
      {goes && !moved ? <Glyph shape="outof" className="mt-[3px]" /> : null}
      <span className="min-w-0 flex-1 truncate font-medium">{block.instance.name}</span>
      <span>{cpus}</span>
      {mark ? <span className="sr-only">{mark}</span> : null}
    </li>
  )
}
