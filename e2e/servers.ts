import { type ChildProcess, spawn } from 'node:child_process'
import http from 'node:http'
import { JOURNEYS_FLEET, JOURNEYS_PORT, originAt, PAGES_PORT, PORT, SERVERS_PORT, settingsFor } from './address'
import { isReady } from './server'
import { ADMIN } from './users'

// The three Berths of the browser tests, each on a new database. Started in parallel, because a start mostly waits for
// its database and Playwright would start one after the other. `SERVERS_PORT` answers 200 when those with a small fleet
// are ready. The large fleet takes a minute to make: its tests wait for it themselves, while others run.

const SMALL = [PORT, PAGES_PORT]
const SERVERS: readonly { readonly port: number; readonly settings: Readonly<Record<string, string>> }[] = [
  { port: PORT, settings: { DATABASE_URL: process.env.E2E_DATABASE_URL ?? '' } },
  { port: JOURNEYS_PORT, settings: { BERTH_DEMO: JOURNEYS_FLEET } },
  { port: PAGES_PORT, settings: {} },
]

const children: ChildProcess[] = SERVERS.map(({ port, settings }) =>
  spawn(process.execPath, ['generated/server/e2e-main.mjs'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...{ ...settingsFor(port), DATABASE_URL: '', BERTH_ADMIN_PASSWORD: ADMIN.password },
      ...settings,
    },
  }),
)
let living = children.length
let code = 0
for (const child of children) {
  child.once('exit', (ended) => {
    living -= 1
    code ||= ended ?? 1
    endAll() // a server that exits unexpectedly ends the run
    if (living === 0) process.exit(code)
  })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endAll)

function endAll(): void {
  for (const child of children) child.kill('SIGTERM')
}

http
  .createServer(async (_, response) => {
    const ready = await Promise.all(SMALL.map((port) => isReady(originAt(port))))
    response.writeHead(ready.every(Boolean) ? 200 : 503).end()
  })
  .listen(SERVERS_PORT, '127.0.0.1')
