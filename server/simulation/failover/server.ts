import type http from 'node:http'
import type { AddressInfo } from 'node:net'
import { start } from '../../wiring'
import type { ServerMessage, ServerOrders } from './orders'

// A whole copy of Berth without the pages, in a process meant to be killed.

process.on('message', (orders: ServerOrders) => void serve(orders))
process.on('disconnect', () => process.exit(1))
say({ is: 'ready' })

async function serve(orders: ServerOrders): Promise<void> {
  try {
    const berth = await start({ ...orders, log: () => {} })
    const api = await listening(berth.server({ answer: (_, response) => response.end(), isDev: false }))
    const placement = await listening(berth.placementServer())
    say({ is: 'serving', api, placement })
  } catch (error) {
    say({ is: 'failed', what: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

async function listening(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function say(what: ServerMessage): void {
  if (process.connected) process.send?.(what)
}
