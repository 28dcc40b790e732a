'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AuditStatus } from '@/server/api/finding/status'
import { ActionFailure, Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { duration } from '../ui/format'
import { showToast } from '../ui/overlay/Toasts'
import { Panel } from '../ui/Panel'
import { AuditFacts } from './AuditFacts'
import { findingWords } from './words'

const words = findingWords.audit

/** The periodic audit: its age and a button to run it. */
export function AuditPanel() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const status = useQuery(trpc.finding.status.queryOptions())
  const audit = useMutation(
    trpc.finding.audit.mutationOptions({
      onSuccess: (done: AuditStatus) => {
        const open = done.byKind.reduce((sum, { count }) => sum + count, 0)
        showToast(open === 0 ? 'ok' : 'warn', words.done(open, duration(done.tookMs ?? 0)))
        void queries.invalidateQueries(trpc.finding.pathFilter())
      },
    }),
  )
  return (
    <Panel
      title={words.title}
      aside={
        <Button size="sm" isPending={audit.isPending} onPress={() => audit.mutate()}>
          {audit.isPending ? words.running : words.run}
        </Button>
      }
    >
      <Loaded query={status} what={words.title} minHeight={108}>
        {(data) => <AuditFacts status={data} />}
      </Loaded>
      <ActionFailure error={audit.error} what={words.title} />
    </Panel>
  )
}
