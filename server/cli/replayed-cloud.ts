import { createInterface } from 'node:readline'
import { beginMigration, boot, type CloudState, emptyCloud, endMigration } from '../cloud/testing/cloud-state'
import { replayCloud, yamlOf } from '../cloud/testing/replayed-cloud'
import { printedHelp, wrongCall } from './usage'

// npx tsx server/cli/replayed-cloud.ts [HOSTS [INSTANCES]]: answers like Keystone, Nova and Placement of a small cloud,
// to try "Add cloud" without one. Its first output line is its clouds.yaml and secure.yaml, the others are the requests
// received. A word on a line of its input changes the cloud: boot, migrate, end, lose (the first allocation on the first
// host), die and live (nova-compute of the second host).

const HOUR_MS = 3_600_000
/** Long enough to be visible in progress. */
const TAKES_MS = 6_000
/** Nova's default. */
const MAX_ROWS = 1_000
const USAGE = 'usage: npx tsx server/cli/replayed-cloud.ts [HOSTS [INSTANCES]]'
const args = process.argv.slice(2)
if (printedHelp(args, USAGE)) process.exit(0)
if (args.length > 2 || !args.every((each) => /^[1-9]\d{0,4}$/.test(each)))
  process.exit(wrongCall('HOSTS and INSTANCES are whole numbers, at least 1', USAGE))
const [hosts = '3', instances = '6'] = args

// The instances are an hour old; from then on its clock is this machine's.
const clock = { aheadMs: -HOUR_MS }
const state: CloudState = Object.defineProperty(emptyCloud(Number(hosts), 0), 'clockMs', {
  get: () => Date.now() + clock.aheadMs,
})
const names = state.providers.map(({ name }) => name)
const nth = (at: number) => names[at % names.length] ?? ''
for (let at = 0; at < Number(instances); at++) boot(state, nth(at))
clock.aheadMs = 0

const say = (line: string) => void process.stdout.write(`${line}\n`)
const cloud = await replayCloud(state, { onRequest: say, takesMs: TAKES_MS, mostRows: MAX_ROWS })
say(JSON.stringify(yamlOf(cloud)))

const CHANGES: Readonly<Record<string, () => void>> = {
  boot: () => void boot(state, nth(state.servers.length)),
  migrate: () => {
    const [, row] = state.servers
    if (row) beginMigration(state, row, nth(2))
  },
  end: () => {
    const migration = state.migrations.at(-1)
    if (migration) endMigration(state, migration)
  },
  /** nova-compute of the second host stops reporting, or reports again. */
  die: () => setAlive(false),
  live: () => setAlive(true),
  lose: () => {
    const [provider] = state.providers
    const row = state.servers.find(({ id }) => provider?.allocations.has(id))
    if (provider && row && provider.allocations.delete(row.id)) provider.generation++
  },
}
function setAlive(isAlive: boolean) {
  const service = state.services.get(nth(1))
  if (service) service.isAlive = isAlive
}
createInterface({ input: process.stdin }).on('line', (word) => CHANGES[word.trim()]?.())
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cloud.close().then(() => process.exit(0)))
