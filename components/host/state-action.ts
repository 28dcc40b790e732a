import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Ref } from '@/server/api/names/names'
import type { HostAction } from '@/server/api/permit/permits'
import type { HostStatus } from '@/server/engine/host'
import { useTRPC } from '../console/trpc'
import { showToast } from '../ui/overlay/Toasts'
import { showProposed } from './proposed'
import { hostActionWords } from './words'

const isStatus = (action: HostAction): action is HostStatus => action !== 'enable' && action !== 'disable'

/** Whether this user can only request the status from a second person. */
export function useNeedsApproval(action: HostAction | null): boolean {
  const trpc = useTRPC()
  const session = useQuery(trpc.session.me.queryOptions())
  const { role, permitted } = session.data ?? {}
  // Users with the right somewhere see per host whether they may act there.
  return role === 'support' && permitted?.migrate.ok === false && action !== null && isStatus(action)
}

/** Performs the action, or requests a second person's approval if needed; the message says which. */
export function useHostAction(host: Ref, action: HostAction, onDone: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const asks = useNeedsApproval(action)
  const onSuccess = (answer: { readonly proposal?: string }) => {
    if (answer.proposal === undefined) showToast('ok', `${host.name} ${hostActionWords[action].done}`)
    else showProposed()
    void queries.invalidateQueries(trpc.host.pathFilter())
    void queries.invalidateQueries(trpc.proposal.pathFilter())
    onDone()
  }
  const status = useMutation(trpc.host.setStatus.mutationOptions({ onSuccess }))
  const scheduling = useMutation(trpc.host.setScheduling.mutationOptions({ onSuccess: () => onSuccess({}) }))
  const proposal = useMutation(trpc.proposal.create.mutationOptions({ onSuccess }))
  const run = (reason: string | undefined) => {
    if (!isStatus(action)) {
      scheduling.mutate({ id: host.id, scheduling: action === 'enable' ? 'enabled' : 'disabled', reason })
    } else if (asks) proposal.mutate({ host: host.id, status: action, reason: reason ?? '' })
    else status.mutate({ id: host.id, status: action, reason })
  }
  const all = [status, scheduling, proposal]
  return { run, asks, isPending: all.some((each) => each.isPending), error: all.find((each) => each.error)?.error }
}
