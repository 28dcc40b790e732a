'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Panel } from '../ui/Panel'
import { AddForm } from './AddForm'
import { ConnectionForm } from './ConnectionForm'
import { type Draft, draftFor } from './draft'
import { PreviewTables } from './PreviewTables'
import { ProbePanel } from './ProbeSteps'
import { useProbe } from './probe'
import { probeStepWords, connectionWords as words } from './words'

/** Enter the connection, probe it, preview the host, then add it as previewed. */
export function AddHostPanel() {
  const trpc = useTRPC()
  const files = useQuery(trpc.connection.files.queryOptions())
  const [draft, setDraft] = useState<Draft | null>(null)
  const { state, start, cancel } = useProbe()
  const { request: address, report, isRunning, error } = state
  const preview = report?.preview ?? null
  return (
    <div className="flex flex-col gap-3">
      {address === null ? (
        <Panel title={words.sections.connection}>
          <Loaded query={files} what={words.what}>
            {(found) => (
              <ConnectionForm files={found} draft={draft ?? draftFor(found)} onChange={setDraft} onProbe={start} />
            )}
          </Loaded>
        </Panel>
      ) : (
        <ProbePanel
          words={words}
          address={report?.address}
          isRunning={isRunning}
          error={error}
          onAgain={() => start(address)}
          onCancel={cancel}
          steps={report?.steps.map((step) => ({ ...step, label: probeStepWords[step.step] })) ?? null}
          unknown={report?.preview ? report.unknown : null}
        />
      )}
      {preview ? <PreviewTables preview={preview} /> : null}
      {preview && address ? <AddForm key={preview.fingerprint} preview={preview} address={address} /> : null}
    </div>
  )
}
