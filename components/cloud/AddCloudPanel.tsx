'use client'
import { useState } from 'react'
import type { CloudUpload } from '@/forms/cloud'
import { ProbePanel } from '../connection/ProbeSteps'
import { useReports } from '../connection/probe'
import { useTRPCClient } from '../console/trpc'
import { AddCloudForm } from './AddCloudForm'
import { ChooseCloud } from './ChooseCloud'
import { CloudFiles, type Files, NO_FILES } from './CloudFiles'
import { addCloudWords as words } from './words'

/** Choose files, choose the cloud in them, probe it, then add it as probed. */
export function AddCloudPanel() {
  const client = useTRPCClient()
  const [files, setFiles] = useState<Files>(NO_FILES)
  const [isRead, setRead] = useState(false)
  const { state, start, cancel } = useReports((upload: CloudUpload, options) =>
    client.cloud.probe.mutate(upload, options),
  )
  const { request, report, isRunning, error } = state
  return (
    <div className="flex flex-col gap-3">
      {isRead ? null : <CloudFiles files={files} onChange={setFiles} onRead={() => setRead(true)} />}
      {isRead && request === null ? <ChooseCloud files={files} onBack={() => setRead(false)} onProbe={start} /> : null}
      {request === null ? null : (
        <ProbePanel
          words={words}
          address={report?.address}
          isRunning={isRunning}
          error={error}
          onAgain={() => start(request)}
          onCancel={cancel}
          steps={report?.steps.map((step) => ({ ...step, label: step.name })) ?? null}
          unknown={report?.unknown ?? null}
        />
      )}
      {request && report && !isRunning ? <AddCloudForm upload={request} isReached={report.isReached} /> : null}
    </div>
  )
}
