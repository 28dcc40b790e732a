import type { ProcessMessage } from './processes'

// The other side of `processes.ts`: a server in a process meant to be killed, loaded before it gets its orders.

/** Runs `serve` for each order. What it throws is reported, and ends the process. */
export function serveOrders<Orders, Serving = unknown>(
  serve: (orders: Orders, say: (what: ProcessMessage<Serving>) => void) => unknown,
): void {
  const say = (what: ProcessMessage<Serving>, sent = () => {}) => {
    if (process.connected) process.send?.(what, sent)
  }
  process.on('message', async (orders: Orders) => {
    try {
      await serve(orders, say)
    } catch (error) {
      say({ is: 'failed', what: tell(error) }, () => process.exit(1))
    }
  })
  // An orphaned process would go on writing to a database that belongs to the next run.
  process.on('disconnect', () => process.exit(1))
  say({ is: 'ready' })
}

export const tell = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
