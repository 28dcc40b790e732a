import { migrate } from '../boot/migrate'
import { simulatedFleet } from '../drivers/simulated/driver'
import { tableState } from '../drivers/simulated/table-state'
import { type HypervisorOrder, type ImportOrder, parseArguments, USAGE } from '../import/arguments'
import type { ImportIssue } from '../import/issue'
import { readOrder } from '../import/read-order'
import { type Fleet, registerFleet } from '../import/register'
import { issueLines, reportLines } from '../import/report'
import { connectDatabase } from '../store/database/database'
import type { HostObjection } from '../store/host/write'
import { simulatorTable } from '../store/simulator/simulator'
import { readDatabaseTime } from '../store/time/database-clock'
import { connectHost } from './connect-host'
import { onDatabase, printedHelp, wrongCall } from './usage'

// npm run import -- fleet | host | demo. Exit code 0: everything was imported. 1: a part was left out. 2: wrong
// arguments or unreadable input, and nothing was changed.

async function main(): Promise<number> {
  if (printedHelp(process.argv.slice(2), USAGE)) return 0
  const parsed = parseArguments(process.argv.slice(2))
  if (!parsed.ok) return wrongCall(parsed.why, USAGE)
  const { order } = parsed
  const { value: fleet, issues, lines } = order.what === 'hypervisor' ? await connectHost(order) : fromFiles(order)
  for (const line of issueLines(issues)) console.error(line)
  for (const line of lines) console.log(line)
  if (fleet === null || fleet.hosts.length === 0) {
    console.error('There is nothing to import. Nothing was changed.')
    return 2
  }
  if (order.what === 'hypervisor' && !order.apply) {
    console.log('Nothing was changed. --apply adds the host, with scheduling disabled.')
    return 0
  }
  return register(fleet, issues)
}

const fromFiles = (order: Exclude<ImportOrder, HypervisorOrder>) => ({
  ...readOrder(order),
  lines: [],
})

async function register(fleet: Fleet, issues: readonly ImportIssue[]): Promise<number> {
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('DATABASE_URL is not set; run this through `npm run import`')
  await migrate(url)
  const database = connectDatabase({
    url,
    onLost: (error) => console.error(`database connection lost: ${error.message}`),
  })
  try {
    const at = await readDatabaseTime(database)
    const simulator = simulatedFleet({ state: tableState(simulatorTable(database)), now: () => at, speed: 1 })
    const registered = await registerFleet(fleet, {
      database,
      adoptInstances: simulator.adopt,
      actor: { who: 'import', request: null, reason: process.argv.slice(2).join(' ') },
      at,
      progress: showProgress(),
    })
    for (const line of reportLines(registered)) console.log(line)
    const refused = registered.hosts.filter((host) => host.did === 'refused')
    const names = new Map(fleet.hosts.map(({ frame: { id, name } }) => [id, name]))
    for (const { host, why } of refused.flatMap((put) => (put.did === 'refused' ? [put] : [])))
      console.error(`host ${names.get(host) ?? host} was not changed: ${OBJECTIONS[why]}`)
    const { unplaced, lost, kept } = registered
    const complete = [refused, unplaced, lost, kept.aliases, kept.flavors].every(({ length }) => length === 0)
    return complete && issues.every((issue) => issue.level === 'note') ? 0 : 1
  } finally {
    await database.close()
  }
}

const OBJECTIONS: Readonly<Record<HostObjection, string>> = {
  held: 'instances have claims on it',
  'name-taken': 'its name is taken',
  'other-driver': 'a host of this name with another driver exists; choose another name with --name',
  'other-machine': 'a host of this name on another machine exists; choose another name with --name',
  'machine-known':
    'this machine is a host already, under another name; if two machines report one uuid, set host_uuid in libvirtd.conf',
  enabled: 'it is enabled, but the new connection is read-only; disable its scheduling first, or add --control',
}

const PROGRESS_INTERVAL_MS = 1_000 // short enough to show progress, long enough for a log file

function showProgress(): (what: string, done: number, of: number) => void {
  let last = Number.NEGATIVE_INFINITY
  return (what, done, of) => {
    if (done < of && performance.now() - last < PROGRESS_INTERVAL_MS) return
    last = performance.now()
    console.error(`${what} ${done} of ${of}`)
  }
}

process.exitCode = await onDatabase(main())
