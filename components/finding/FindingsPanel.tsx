'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { findingsOf } from './columns'
import { DeviceDriftTable } from './DeviceDriftTable'
import { DriftTable } from './DriftTable'
import { detailWords } from './detail/words'
import { FindingDrawer } from './FindingDrawer'
import { FindingRows } from './FindingRows'
import { healDisabledReason } from './HealCell'
import { PlanHealButton } from './PlanHealButton'
import { type FindingSubject, NoDiscrepancies } from './UncheckedParts'
import { findingWords as words } from './words'

/** Limit of findings shown beside their subject; the findings page has the rest. */
const LIMIT = 500

/** Findings about one host, instance or migration, with their evidence below; of a migration, those of its instance too. */
export function FindingsPanel({ about }: { about: FindingSubject }) {
  const trpc = useTRPC()
  const found = useQuery(trpc.finding.list.queryOptions({ [about.kind]: about.id, limit: LIMIT }))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return (
    <div className="flex flex-col gap-5">
      <Loaded query={found} what={words.title}>
        {({ rows, total }) => (
          <FindingRows
            columns={findingsOf[about.kind]}
            rows={rows}
            total={total}
            selected={selected}
            onSelect={setSelected}
            filters={
              <PlanHealButton
                findings={rows.filter((row) => selected.has(row.id) && !healDisabledReason(row)).map((row) => row.id)}
              />
            }
            empty={<NoDiscrepancies about={about} />}
          />
        )}
      </Loaded>
      {/* Below a table of unknown height: it would move while that loads. */}
      {about.kind === 'migration' || found.isPending ? null : <Drift about={{ [about.kind]: about.id }} />}
      <FindingDrawer />
    </div>
  )
}

function Drift({ about }: { about: { readonly host?: string; readonly instance?: string } }) {
  const trpc = useTRPC()
  const devices = useQuery(trpc.finding.deviceDrift.queryOptions(about))
  const drift = useQuery(trpc.finding.drift.queryOptions(about))
  return (
    <>
      <section className="flex flex-col gap-1.5">
        <h2 className="m-0 text-sm font-semibold">{detailWords.drift.title}</h2>
        <Loaded query={drift} what={detailWords.drift.title}>
          {(rows) => <DriftTable rows={rows} />}
        </Loaded>
      </section>
      {drift.isPending ? null : (
        <section className="flex flex-col gap-1.5">
          <h2 className="m-0 text-sm font-semibold">{detailWords.devices.title}</h2>
          <Loaded query={devices} what={detailWords.devices.title}>
            {(rows) => <DeviceDriftTable rows={rows} />}
          </Loaded>
        </section>
      )}
    </>
  )
}
