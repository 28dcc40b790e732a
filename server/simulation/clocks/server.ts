import { start } from '../../wiring'
import { serveOrders } from '../serve-orders'
import type { ClockOrders } from './run'

// A whole server without the console, on a machine whose clock is wrong, in a process meant to be killed.

serveOrders(async ({ databaseUrl, aheadMs, rate, taskSpeed }: ClockOrders, say) => {
  const since = Date.now()
  const clock = {
    monotonic: () => performance.now() * rate,
    wall: () => since + aheadMs + (Date.now() - since) * rate,
  }
  await start({ databaseUrl, clock, taskSpeed, log: () => {} })
  say({ is: 'serving' })
})
