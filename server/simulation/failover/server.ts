import type http from 'node:http'
import type { AddressInfo } from 'node:net'
import { start } from '../../wiring'
import { serveOrders } from '../serve-orders'
import type { ServerOrders, ServingPorts } from './orders'

// A whole copy of Berth without the pages, in a process meant to be killed.

serveOrders<ServerOrders, ServingPorts>(async (orders, say) => {
  const berth = await start({ ...orders, log: () => {} })
  const api = await listening(berth.server({ answer: (_, response) => response.end(), isDev: false }))
  const placement = await listening(berth.placementServer())
  say({ is: 'serving', api, placement })
})

async function listening(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
