'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { CloudPlanView } from '@/server/api/cloud/answers'
import { ActionFailure, Loaded } from '../console/Failure'
import { useTRPC, useTRPCClient } from '../console/trpc'
import { Button } from '../ui/Button'
import { utc } from '../ui/format'
import { EmptyState } from '../ui/Message'
import { Drawer } from '../ui/overlay/Dialog'
import { showToast } from '../ui/overlay/Toasts'
import { Panel } from '../ui/Panel'
import { saveText } from '../ui/save-text'
import { CloudCalls } from './CloudCalls'
import { cloudWords as words } from './words'

/** A dry run of all repairs possible now, to read or to download as a script. */
export function CloudPlanDrawer({ cloud, onClose }: { cloud: string; onClose: () => void }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.cloud.plan.queryOptions({ id: cloud }, { staleTime: 0 }))
  return (
    <Drawer wide="work" isOpen onClose={onClose} title={words.planTitle}>
      <Loaded query={query} what={words.planTitle} minHeight={300}>
        {(plan) => (plan === null ? <EmptyState title={words.notYet} /> : <Plan cloud={cloud} plan={plan} />)}
      </Loaded>
    </Drawer>
  )
}

function Plan({ cloud, plan: { at, calls, leftOut } }: { cloud: string; plan: CloudPlanView }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="m-0 text-sm text-soft">{words.planRead(utc(at))}</p>
      <Panel
        title={words.calls(calls.length)}
        aside={calls.length > 0 ? <ScriptButton cloud={cloud} findings={undefined} /> : null}
      >
        {calls.length > 0 ? <CloudCalls calls={calls} /> : <EmptyState title={words.planEmpty} />}
      </Panel>
      {leftOut.length > 0 ? (
        <Panel title={words.leftOut}>
          <ul className="m-0 flex list-none flex-col gap-2 p-0 text-sm">
            {leftOut.map(({ title, about, why }) => (
              <li key={`${title} ${about}`}>
                <span className="font-medium">
                  {title}: {about}
                </span>
                <span className="block text-soft">{why}</span>
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
    </div>
  )
}

/** `findings` undefined: all findings. */
export function ScriptButton({ cloud, findings }: { cloud: string; findings: readonly string[] | undefined }) {
  const client = useTRPCClient()
  const script = useMutation({
    mutationFn: () => client.cloud.script.query({ id: cloud, ...(findings && { findings: [...findings] }) }),
    onSuccess: (answer) => {
      if (answer === null) return
      saveText(answer.name, answer.text)
      showToast('ok', words.scriptDone, { detail: answer.name })
    },
  })
  return (
    <>
      <Button size="sm" isPending={script.isPending} onPress={() => script.mutate()}>
        {words.script}
      </Button>
      <ActionFailure error={script.error} what={words.script} />
    </>
  )
}
