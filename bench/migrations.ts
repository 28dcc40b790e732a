import { pathToFileURL } from 'node:url'
import { openBenchDatabase } from './bench-fleet'
import { driverCpuMs } from './migrations/driver-share'
import { openFleet, settleInstances } from './migrations/fleet'
import { type MigrationBenchRow, runMigrations } from './migrations/migration-load'
import { countStatements, serverProcess } from './migrations/postgres'

// Live migrations from accept to end, with a fixed number in flight: scheduled, claimed, prepared, polled, switched,
// cleaned up and released by the real conductor, with durable commits. Transfers take no time and the simulated
// hypervisors are in memory, so the figures show Berth's own cost.
//
//   npx tsx bench/migrations.ts [--fleet 60x1500,500x20000] [--flight 60,240,480] [--migrations 1500] [--statements] [--table]

export interface MigrationBenchOptions {
  /** Hosts and instances of each fleet. */
  readonly fleets: readonly (readonly [hosts: number, instances: number])[]
  readonly flights: readonly number[]
  /** Migrations per load. */
  readonly migrations: number
  /** Prints the statements that took most of PostgreSQL's time. */
  readonly statements?: boolean
  /** Keeps the simulated hypervisors in the simulator's table, as the demo does. */
  readonly table?: boolean
  /** Called with the result of each load as soon as it ends. */
  tell?(row: MigrationBenchRow): void
}

const DEFAULTS: MigrationBenchOptions = {
  fleets: [
    [60, 1_500],
    [500, 20_000],
  ],
  flights: [60, 240, 480],
  migrations: 1_500,
}

const CONNECTIONS = 20 // as in production
// Not counted: until every connection has planned its statements and Node.js has compiled the hot functions, a
// migration costs 50 % more, so the first row would measure the start.
const WARM_UP = { flight: 60, migrations: 960 }

export async function benchMigrations(options: MigrationBenchOptions = DEFAULTS): Promise<MigrationBenchRow[]> {
  const rows: MigrationBenchRow[] = []
  for (const [hosts, count] of options.fleets) {
    const { database, stop } = await openBenchDatabase(CONNECTIONS, options.statements ? ['pg_stat_statements'] : [])
    try {
      const fleet = await openFleet(database, { hosts, table: options.table === true })
      try {
        const instances = await settleInstances(fleet, count)
        await database.pool.query('vacuum analyze')
        const server = await serverProcess(database)
        const driverMs = await driverCpuMs(instances.length)
        const load = { fleet, instances, migrations: options.migrations, server, driverMs }
        await runMigrations({ ...load, ...WARM_UP })
        for (const flight of options.flights) {
          const counting = options.statements ? await countStatements(database) : null
          const row = { ...(await runMigrations({ ...load, flight })), hosts, instances: count }
          rows.push(row)
          options.tell?.(row)
          await counting?.tell(options.migrations)
        }
      } finally {
        await fleet.stop()
      }
    } finally {
      await stop()
    }
  }
  return rows
}

const argument = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

function optionsFrom(): MigrationBenchOptions {
  const fleets = argument('fleet')
    ?.split(',')
    .map((each) => each.split('x').map(Number) as [number, number])
  const flights = argument('flight')?.split(',').map(Number)
  return {
    fleets: fleets ?? DEFAULTS.fleets,
    flights: flights ?? DEFAULTS.flights,
    migrations: Number(argument('migrations') ?? argument('moves') ?? DEFAULTS.migrations),
    statements: process.argv.includes('--statements'),
    table: process.argv.includes('--table'),
  }
}

function migrationBenchText(row: MigrationBenchRow): string {
  const { hosts, instances, flight, perS, nodeMs, postgresMs, driverMs } = row
  const bytes = (count: number) => `${(count / 1024).toFixed(1)} KiB`
  return [
    `${hosts} x ${instances}, ${flight} in flight: ${perS.toFixed(1)} migrations/s, median ${row.medianMs.toFixed(0)} ms`,
    `CPU per migration: node ${nodeMs.toFixed(1)} ms (hypervisors ${driverMs.toFixed(2)}), PostgreSQL ${postgresMs.toFixed(1)} ms`,
    `per migration: ${row.transactions.toFixed(1)} transactions, WAL ${bytes(row.walBytes)}, ${row.events.toFixed(1)} events of ${bytes(row.eventBytes)} in all`,
    `reads meanwhile: median ${row.readMedianMs.toFixed(0)} ms, p99 ${row.readP99Ms.toFixed(0)} ms, ${row.failed} failed`,
  ].join('\n  ')
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await benchMigrations({ ...optionsFrom(), tell: (row) => console.log(migrationBenchText(row)) })
}
