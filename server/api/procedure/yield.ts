import { TRPCError } from '@trpc/server'
import { yieldToEventLoop } from '../../audit/event-loop'

/**
 * Yields to the event loop: work of more than some hundredths of a second calls this in between. Throws when the client
 * no longer waits for the answer.
 */
export async function yieldUnlessAborted(signal?: AbortSignal): Promise<void> {
  await yieldToEventLoop()
  if (signal?.aborted) throw new TRPCError({ code: 'CLIENT_CLOSED_REQUEST', message: 'The client has disconnected.' })
}
