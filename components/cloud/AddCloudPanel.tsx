'use client'
import { useState } from 'react'
import type { CloudUpload } from '@/forms/cloud'
import { ProbeSteps } from '../connection/ProbeSteps'
import { useReports } from '../connection/probe'
import { ActionFailure } from '../console/Failure'
import { useTRPCClient } from '../console/trpc'
import { Button } from '../ui/Button'
import { Panel } from '../ui/Panel'
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
  const { asked, report, isRunning, error } = state
  return (
    <div className="flex flex-col gap-3">
      {isRead ? null : <CloudFiles files={files} onChange={setFiles} onRead={() => setRead(true)} />}
      {isRead && asked === null ? <ChooseCloud files={files} onBack={() => setRead(false)} onProbe={start} /> : null}
      {asked === null ? null : (
        <Panel
          title={words.sections.probe}
          detail={report?.address}
          aside={
            <>
              {isRunning ? null : (
                <Button size="sm" onPress={() => start(asked)}>
                  {words.again}
                </Button>
              )}
              <Button size="sm" onPress={cancel}>
                {isRunning ? words.cancel : words.change}
              </Button>
            </>
          }
        >
          {error ? (
            <ActionFailure error={error} what={words.notProbed} />
          ) : (
            <ProbeSteps
              steps={report?.steps.map((step) => ({ ...step, label: step.name })) ?? null}
              unknown={report?.unknown ?? null}
            />
          )}
        </Panel>
      )}
      {asked && report && !isRunning ? <AddCloudForm upload={asked} isReached={report.isReached} /> : null}
    </div>
  )
}
