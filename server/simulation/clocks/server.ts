import { start } from '../../wiring'
import type { ClockMessage, ClockOrders } from './orders'

// A whole server without the console, on a machine whose clock is wrong, in a process meant to be killed.

process.on('message', (orders: ClockOrders) => void serve(orders))
process.on('disconnect', () => process.exit(1))
say({ is: 'ready' })

async function serve({ databaseUrl, aheadMs, rate, taskSpeed }: ClockOrders): Promise<void> {
  const since = Date.now()
  const clock = {
    monotonic: () => performance.now() * rate,
    wall: () => since + aheadMs + (Date.now() - since) * rate,
  }
  try {
    await start({ databaseUrl, clock, taskSpeed, log: () => {} })
    say({ is: 'serving' })
  } catch (error) {
    say({ is: 'failed', what: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function say(what: ClockMessage): void {
  if (process.connected) process.send?.(what)
}
