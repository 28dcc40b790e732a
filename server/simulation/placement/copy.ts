import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { openPlacement, placementSettings } from '../../api/placement/opened'
import { ProviderForest } from '../../fleet/candidates-forest'
import { connectDatabase } from '../../store/database/database'
import { serveOrders } from '../serve-orders'
import type { CopyOrders, ServingPort } from './copies'

// One copy of the server, limited to the Placement API, in a process meant to be killed.

const CONNECTIONS = 6

serveOrders<CopyOrders, ServingPort>(({ databaseUrl }, say) => {
  const database = connectDatabase({ url: databaseUrl, connections: CONNECTIONS })
  const server = openPlacement({
    ...{ database, forest: new ProviderForest(database), now: () => Date.now(), newId: () => randomUUID() },
    chance: Math.random,
    log: { error: (fields: unknown) => say({ is: 'failed', what: tell(fields) }) },
    settings: placementSettings({ BERTH_PLACEMENT_AUTH: 'noauth2' }),
  }).server()
  server.listen(0, '127.0.0.1', () => say({ is: 'serving', port: (server.address() as AddressInfo).port }))
})

function tell(fields: unknown): string {
  const { err } = fields as { err?: unknown }
  return err instanceof Error ? (err.stack ?? err.message) : JSON.stringify(fields)
}
