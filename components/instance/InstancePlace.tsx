'use client'
import { useQuery } from '@tanstack/react-query'
import type { ClaimView } from '@/server/api/claim/view'
import type { HostMapView, MapCpu, MapNumaNode } from '@/server/api/host/map'
import { markBadges } from '../claim/words'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { mapWords } from '../host/map/words'
import { StateBadge } from '../ui/Badge'
import { cx } from '../ui/cx'
import { TextLink } from '../ui/Link'
import { instanceWords as words } from './words'

/** A small picture of a claim on its host: each NUMA node with its CPUs and devices, the claim's own in the accent. */
export function InstancePlace({ claim }: { claim: ClaimView }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.host.map.queryOptions({ id: claim.host.id }))
  const first = claim.units[0]?.unit
  const mark = markBadges[claim.mark]
  return (
    <section
      aria-label={words.placeOn(claim.host.name, mark.label)}
      className="flex min-w-0 flex-col gap-2 rounded-lg border border-line bg-surface p-3"
    >
      <div className="flex items-baseline justify-between gap-3">
        <span className="flex items-baseline gap-2 text-sm">
          <span className="font-semibold">
            <HostLink host={claim.host} />
          </span>
          {claim.mark === 'held' ? null : <StateBadge badge={mark} className="text-xs" />}
        </span>
        <TextLink href={paths.host(claim.host.id, { unit: first })} className="text-xs">
          {words.onMap}
        </TextLink>
      </div>
      <Loaded query={query} what={mapWords.title} minHeight={72}>
        {(view) => <PlacePicture view={view} claim={claim} />}
      </Loaded>
    </section>
  )
}

export function PlacePicture({ view, claim }: { view: HostMapView; claim: ClaimView }) {
  const own = view.holders.findIndex((holder) => holder.claim === claim.id)
  return (
    <ul className="m-0 flex list-none flex-wrap gap-x-4 gap-y-2 p-0">
      {view.cells.map((cell) => (
        <Node key={cell.id} cell={cell} claim={claim} own={own} />
      ))}
    </ul>
  )
}

function Node({ cell, claim, own }: { cell: MapNumaNode; claim: ClaimView; own: number }) {
  const threads = cell.cores.flatMap((core) => core.threads)
  const cpus = threads.filter((cpu) => holds(cpu, own)).length
  const devices = claim.units.filter((unit) => unit.kind !== 'cpu' && unit.cell === cell.id)
  const inUse = cpus > 0 || devices.length > 0 || claim.cells.some(({ hostCell }) => hostCell === cell.id)
  return (
    <li className="flex max-w-44 flex-col gap-1">
      <span className="text-2xs text-soft">
        {mapWords.cell(cell.id)}
        {inUse ? <span className="text-ink"> {words.holdsHere(cpus, devices.length)}</span> : null}
      </span>
      <span aria-hidden="true" className={cx('flex flex-wrap gap-px', !inUse && 'opacity-60')}>
        {threads.map((cpu) => (
          <span
            key={cpu.id}
            title={mapWords.cpu(cpu.id)}
            className={cx('size-[7px] rounded-[1px] ring-1 ring-edge/50 ring-inset', cpuClassName(cpu, own))}
          />
        ))}
      </span>
      {devices.length > 0 ? (
        <span className="flex flex-wrap gap-1">
          {devices.map(({ unit, label }) => (
            <TextLink
              key={unit}
              href={paths.host(claim.host.id, { unit })}
              label={words.deviceOf(unit, label)}
              className="rounded-sm bg-accent-wash px-1 font-mono text-2xs"
            >
              {unit.slice(unit.indexOf(':') + 1)}
            </TextLink>
          ))}
        </span>
      ) : null}
    </li>
  )
}

const holds = (cpu: MapCpu, own: number) => own >= 0 && cpu.holders.some(({ holder }) => holder === own)

function cpuClassName(cpu: MapCpu, own: number): string {
  if (holds(cpu, own)) return 'bg-accent-fill'
  if (cpu.holders.length > 0) return 'bg-map-held/50'
  return cpu.pool === 'shared' ? 'bg-map-shared' : 'bg-map-free'
}
