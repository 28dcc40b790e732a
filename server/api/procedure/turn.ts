import { TRPCError } from '@trpc/server'
import { nextTurn } from '../../audit/turns'

/**
 * Others wait for this thread as well: work of more than some hundredths of a second does this in between. It ends here
 * when nobody waits for its answer any more.
 */
export async function turnOfOthers(signal?: AbortSignal): Promise<void> {
  await nextTurn()
  if (signal?.aborted) throw new TRPCError({ code: 'CLIENT_CLOSED_REQUEST', message: 'The client has disconnected.' })
}
