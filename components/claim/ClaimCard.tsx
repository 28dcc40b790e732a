import type { ClaimView, GuestNodePlacement, HeldUnit } from '@/server/api/claim/view'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { StateBadge, Tag } from '../ui/Badge'
import { mib, pageSize, ranges } from '../ui/format'
import { Glyph } from '../ui/Glyph'
import { TextLink } from '../ui/Link'
import { Panel } from '../ui/Panel'
import { amountText, claimTotalsText, mainFirst } from './amount/words'
import { markBadges, unitKindWords, useWords, claimWords as words } from './words'

/** One claim in full: its NUMA nodes, CPUs, devices and amounts. */
export function ClaimCard({ claim }: { claim: ClaimView }) {
  return (
    <Panel
      title={
        <span className="flex items-center gap-3">
          <HostLink host={claim.host} />
          <StateBadge badge={markBadges[claim.mark]} className="text-xs font-normal" />
        </span>
      }
      aside={claim.holder.kind === 'migration' ? words.byMigration : words.byInstance}
    >
      <div className="flex flex-col gap-3">
        <p className="m-0 text-soft">{claimTotalsText(claim.held)}</p>
        {claim.cells.length === 0 ? <p className="m-0 text-faint">{words.noTopology}</p> : null}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(20rem,100%),1fr))] gap-3 empty:hidden">
          {claim.cells.map((cell) => (
            <NumaNodeFacts key={cell.guestCell} cell={cell} host={claim.host.id} />
          ))}
        </div>
        <Units units={claim.units.filter((unit) => unit.kind !== 'cpu')} cells={claim.cells} host={claim.host.id} />
        <Amounts claim={claim} />
      </div>
    </Panel>
  )
}

function NumaNodeFacts({ cell, host }: { cell: GuestNodePlacement; host: string }) {
  const first = cell.pins[0]
  return (
    <div className="rounded-md bg-sunken px-3 py-2 text-sm">
      <p className="m-0 flex flex-wrap gap-x-3">
        <span className="font-medium">{words.cell(cell.guestCell, cell.hostCell)}</span>
        <span className="text-soft">
          {words.memory(mib(cell.memoryMib), cell.pageKib === null ? null : pageSize(cell.pageKib))}
        </span>
        {cell.sharedVcpus.length > 0 ? (
          <span className="text-soft">{words.shared(cell.sharedVcpus.length)}</span>
        ) : null}
      </p>
      {first ? (
        <p className="m-0 flex flex-wrap items-baseline gap-x-1.5 gap-y-0.5 pt-1 font-mono text-xs">
          <span className="font-sans text-soft">{words.pinned}</span>
          {cell.pins.map(([vcpu, cpu]) => (
            <TextLink
              key={vcpu}
              href={paths.host(host, { unit: `cpu:${cpu}` })}
              className="whitespace-nowrap"
              label={words.pin(vcpu, cpu)}
            >
              {vcpu}
              <Glyph shape="arrow" className="mx-0.5 inline text-faint" />
              {cpu}
            </TextLink>
          ))}
        </p>
      ) : null}
      {cell.emulatorCpus.length > 0 ? (
        <p className="m-0 pt-1 text-xs text-soft">
          {words.emulator} <span className="font-mono">{ranges(cell.emulatorCpus)}</span>
        </p>
      ) : null}
    </div>
  )
}

/** A device held as such by an instance that is not on the device's NUMA node. */
const isOffNode = ({ kind, use, cell }: HeldUnit, cells: readonly GuestNodePlacement[]): boolean =>
  kind === 'pci' &&
  use === 'device' &&
  cell !== null &&
  cells.length > 0 &&
  !cells.some(({ hostCell }) => hostCell === cell)

function Units({
  units,
  cells,
  host,
}: {
  units: readonly HeldUnit[]
  cells: readonly GuestNodePlacement[]
  host: string
}) {
  if (units.length === 0) return null
  return (
    <ul aria-label={words.units} className="m-0 flex list-none flex-col gap-1 p-0 text-sm">
      {units.map((unit) => (
        <li key={unit.unit} className="flex min-h-6 flex-wrap items-baseline gap-x-2">
          <Tag>{unitKindWords[unit.kind]}</Tag>
          <TextLink href={paths.host(host, { unit: unit.unit })} className="font-mono text-xs">
            {unit.unit}
          </TextLink>
          <span className="text-xs text-soft">{unit.label}</span>
          <span className="text-xs text-faint">{words.use(useWords[unit.use], unit.cell)}</span>
          {isOffNode(unit, cells) ? (
            <span className="flex items-baseline gap-1 text-xs text-warn">
              <Glyph shape="triangle" />
              {words.offNode}
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** One group for each provider, named if there are several: two NUMA nodes have the same classes. */
function Amounts({ claim }: { claim: ClaimView }) {
  const providers = [...new Set(claim.amounts.map(({ provider }) => provider))]
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-1 border-t border-line pt-2 font-mono text-xs text-soft">
      {providers.map((provider) => (
        <p key={provider} title={provider} className="m-0 flex flex-wrap gap-x-4 gap-y-0.5">
          {providers.length > 1 ? <span className="text-faint">{provider}</span> : null}
          {mainFirst(claim.amounts.filter((each) => each.provider === provider)).map(({ resourceClass, amount }) => (
            <span key={resourceClass}>
              {resourceClass} {amountText(resourceClass, amount)}
            </span>
          ))}
        </p>
      ))}
    </div>
  )
}
