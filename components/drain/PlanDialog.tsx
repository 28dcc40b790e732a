'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import type { Ref } from '@/server/api/names/names'
import type { Fallback } from '@/server/engine/drain/plan'
import { MutationDialog } from '../console/MutationDialog'
import { paths } from '../console/paths'
import { useTRPC, useTRPCClient } from '../console/trpc'
import { Checkbox } from '../ui/field/Checkbox'
import { ComboBox } from '../ui/field/ComboBox'
import { Select } from '../ui/field/Select'
import { Elapsed, useNow } from '../ui/time/Clock'
import { DEFAULT_FALLBACK, drainWords, fallbackWords } from './words'

const words = drainWords.plan
const HOSTS = 2000

/** Asks how to drain a host and creates the plan. It changes nothing else. */
export function PlanDialog({ host, onClose }: { host: Ref | null; onClose: () => void }) {
  const [chosen, setChosen] = useState<string | null>(host?.id ?? null)
  const [fallback, setFallback] = useState<Fallback>(DEFAULT_FALLBACK)
  const [helpers, setHelpers] = useState(true)
  const plan = usePlan(host === null ? 'push' : 'replace')
  const close = () => {
    plan.cancel()
    onClose()
  }
  return (
    <MutationDialog
      needsReason
      onClose={close}
      title={host ? words.title(host.name) : words.titleAny}
      confirmLabel={words.verb}
      disabledReason={chosen === null ? words.needsHost : null}
      consequences={
        <div className="flex flex-col gap-3">
          {host ? null : <HostChoice value={chosen} onChange={setChosen} />}
          <Select
            label={drainWords.fallback}
            value={fallback}
            onChange={setFallback}
            choices={(Object.keys(fallbackWords) as Fallback[]).map((id) => ({ id, ...fallbackWords[id] }))}
          />
          <Checkbox label={drainWords.helpers} isSelected={helpers} onChange={setHelpers} />
          <p className="m-0 text-soft">{words.means}</p>
          <Planning since={plan.since} />
        </div>
      }
      mutation={plan}
      onConfirm={(reason) => {
        if (chosen !== null) plan.mutate({ kind: 'drain', host: chosen, fallback, helpers, reason: reason ?? '' })
      }}
    />
  )
}

/**
 * Creates the plan and opens it. Closing the dialog meanwhile aborts the request, and nothing is planned. On a host's
 * page the dialog is in the address: Back from the plan leads to the page, not to the dialog.
 */
function usePlan(open: 'push' | 'replace') {
  const client = useTRPCClient()
  const router = useRouter()
  const now = useNow()
  const question = useRef<AbortController | null>(null)
  const [since, setSince] = useState<number | null>(null)
  const plan = useMutation({
    meta: { onlyWhileOpen: true },
    mutationFn: (input: Parameters<typeof client.run.plan.mutate>[0]) => {
      question.current = new AbortController()
      setSince(now)
      return client.run.plan.mutate(input, { signal: question.current.signal })
    },
    onSuccess: ({ run }) => router[open](paths.drain(run)),
    onSettled: () => setSince(null),
  })
  return { ...plan, since, cancel: () => question.current?.abort() }
}

/** The duration of planning is unpredictable, so this shows the elapsed time. */
function Planning({ since }: { since: number | null }) {
  return (
    <p className="m-0 text-soft empty:-mt-3" aria-live="polite">
      {since === null ? null : (
        <>
          {words.planning} <Elapsed from={since} />
        </>
      )}
    </p>
  )
}

function HostChoice({ value, onChange }: { value: string | null; onChange: (host: string) => void }) {
  const trpc = useTRPC()
  const hosts = useQuery(trpc.host.list.queryOptions({ limit: HOSTS }))
  return (
    <ComboBox
      label={words.host}
      value={value}
      onChange={onChange}
      choices={hosts.data?.rows.map(({ id, name, instances }) => ({
        id,
        label: name,
        detail: words.instances(instances),
      }))}
    />
  )
}
