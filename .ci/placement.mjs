// Asks Berth's Placement API the cases of Placement's own kind, where they lie beside the project and the tool that asks
// them can be had: as root it is installed. Where not, one line says why they were skipped, and the run goes on. Exit
// code 1 only when Berth does not come up or a case fails; what passed and failed is left for the summary.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

const SHARED = path.resolve('../shared')
const TOOL = path.join(SHARED, 'tools/placement-api/run.py')
const CASES = path.join(SHARED, 'data/placement-api')
const REPORT = '.data/reports/placement.json'
const DATABASE = '.data/ci-placement-postgres'
const INSTALL_MS = 60_000
const START_MS = 180_000
const CASES_MS = 110_000
const STOP_MS = 30_000 // longer than Berth itself takes at most

process.exitCode = await main()

async function main() {
  const missing = [TOOL, CASES].find((each) => !fs.existsSync(each))
  if (missing) return skipped(`${path.relative('.', missing)} is not there`)
  const python = withGabbi() ?? install()
  if (!python) return skipped('python3-gabbi is not installed, and could not be')
  fs.mkdirSync(path.dirname(REPORT), { recursive: true })
  const berth = await startBerth()
  try {
    const state = await isUp(berth)
    if (state === 'slow') return skipped(`Berth was not ready within ${START_MS / 1000} s`)
    return state === 'up' ? ask(python, berth.url) : failed()
  } finally {
    await stop(berth)
  }
}

function skipped(why) {
  console.log(`Placement cases: skipped, because ${why}.`)
  return 0
}

function failed() {
  console.log('Placement cases: failed, because Berth did not start.')
  fs.writeFileSync(REPORT, JSON.stringify({ totals: { passed: 0, failed: 1 } }))
  return 1
}

/** A Python that has the library; the system's own first, where packages put it. */
function withGabbi() {
  return ['/usr/bin/python3', 'python3'].find((python) => quiet(python, ['-c', 'import gabbi'], 20_000))
}

function install() {
  if (process.getuid?.() !== 0) return undefined
  const until = Date.now() + INSTALL_MS
  const apt = (...args) => quiet('apt-get', ['-qq', '-y', ...args], Math.max(1, until - Date.now()))
  const wanted = ['install', '--no-install-recommends', 'python3-gabbi']
  if (!apt(...wanted) && apt('update')) apt(...wanted)
  return withGabbi()
}

function quiet(command, args, timeout) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: 'ignore', timeout, env }).status === 0
}

/** On a new database of its own and on ports nobody has. */
async function startBerth() {
  const [port, placementPort] = await freePorts()
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/boot/e2e-main.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: port, DATABASE_URL: '', BERTH_POSTGRES_DIR: DATABASE },
      ...{ BERTH_DEMO: 'no', BERTH_PLACEMENT_PORT: placementPort, BERTH_PLACEMENT_AUTH: 'noauth2' },
      BERTH_PLACEMENT_PROFILE: 'default',
    },
  })
  const berth = { url: `http://127.0.0.1:${placementPort}`, child, ended: false }
  berth.gone = new Promise((resolve) => {
    const end = () => {
      berth.ended = true
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  return berth
}

/** Both are held at once, so they differ. */
async function freePorts() {
  const servers = await Promise.all([0, 0].map(() => listening()))
  const ports = servers.map((server) => String(server.address().port))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

function listening() {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve(server))
  })
}

async function isUp(berth) {
  const until = Date.now() + START_MS
  while (Date.now() < until) {
    if (berth.ended) return 'gone'
    const answer = await fetch(berth.url, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    if (answer?.ok) return 'up'
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return 'slow'
}

function ask(python, url) {
  const args = [TOOL, '--base-url', url, '--gabbits', CASES, '--reset-cmd', 'api', '--json', REPORT, '--quiet']
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
  const { status, error } = spawnSync(python, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: CASES_MS, env })
  if (error?.code === 'ETIMEDOUT') return skipped(`they did not end within ${CASES_MS / 1000} s`)
  // The tool's own troubles, which it tells by 2, are none of Berth's.
  if (!fs.existsSync(REPORT)) return skipped(`the tool that asks them ended with ${status}`)
  return status === 0 ? 0 : 1
}

async function stop(berth) {
  berth.child.kill('SIGTERM')
  const late = setTimeout(() => berth.child.kill('SIGKILL'), STOP_MS)
  await berth.gone
  clearTimeout(late)
}
