import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { startCluster } from '../server/boot/postgres/cluster'
import { connectDatabase } from '../server/store/database/database'
import { parentOf } from './cpu-time'

// Berth as `npm start` runs it, in a separate process, on its own PostgreSQL with durable commits.

export interface ProductionBerth {
  /** Its Placement API, open to the token `admin`. */
  readonly placement: string
  /** Process ids of the server and of its database. */
  readonly pids: readonly number[]
  stop(): Promise<void>
}

const ROOT = path.join(import.meta.dirname, '..')
const START_LIMIT_MS = 120_000
const POLL_INTERVAL_MS = 200

/** `nodeArguments` are arguments for Node.js, such as `--cpu-prof`. Builds what is not built yet. */
export async function startProductionBerth(nodeArguments: readonly string[] = []): Promise<ProductionBerth> {
  const built = spawnSync(process.execPath, ['server/boot/setup.mjs', 'build'], { cwd: ROOT, stdio: 'inherit' })
  if (built.status !== 0) throw new Error('Berth could not be built. Nothing was measured.')
  const directory = path.join(ROOT, '.data/bench-placement', String(process.pid))
  const cluster = await startCluster({ directory })
  const databaseUrl = await cluster.ensureDatabase('berth')
  const [port, placementPort] = [await freePort(), await freePort()]
  const berth = spawn(process.execPath, [...nodeArguments, 'generated/server/main.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...{ ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl, HOST: '127.0.0.1', PORT: String(port) },
      ...{ BERTH_DEMO: 'no', BERTH_PLACEMENT_AUTH: 'noauth2', BERTH_PLACEMENT_PORT: String(placementPort) },
    },
  })
  const stop = async () => {
    if (berth.exitCode === null) {
      const ended = new Promise((resolve) => berth.once('exit', resolve))
      berth.kill('SIGTERM')
      await ended
    }
    await cluster.stop()
    fs.rmSync(directory, { recursive: true, force: true })
  }
  try {
    const placement = `http://127.0.0.1:${placementPort}`
    await untilServed(placement, () => berth.exitCode)
    return { placement, pids: [berth.pid as number, await serverOf(databaseUrl)], stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilServed(url: string, exitCode: () => number | null): Promise<void> {
  const until = Date.now() + START_LIMIT_MS
  for (;;) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    if (exitCode() !== null) throw new Error('Berth exited during its start. Nothing was measured.')
    if (Date.now() > until) throw new Error(`Berth did not answer on ${url} within ${START_LIMIT_MS / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}

/** The parent process of all connections to this server. */
async function serverOf(url: string): Promise<number> {
  const database = connectDatabase({ url, connections: 1 })
  try {
    const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    const server = rows[0] && parentOf(rows[0].pid)
    if (!server) throw new Error('the database is not on this machine')
    return server
  } finally {
    await database.close()
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
