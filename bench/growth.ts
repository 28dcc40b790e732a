import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import v8 from 'node:v8'
import vm from 'node:vm'
import { openPlacement, type PlacementApi, placementSettings } from '../server/api/placement/opened'
import { makeAudit } from '../server/audit/audit'
import { ProviderForest } from '../server/fleet/candidates-forest'
import { Projection } from '../server/fleet/projection'
import type { Database } from '../server/store/database/database'
import { EventFeed } from '../server/store/event/feed'
import { openBenchDatabase } from './bench-fleet'

// The cost of allocation candidates as the fleet grows. Ten candidates should cost the same with a thousand providers
// as with fifty thousand, and so should finding that there are none. Also measures memory and audit of the fleet.
//
//   npx tsx bench/growth.ts [PROVIDERS…]

export interface GrowthRow {
  readonly providers: number
  /** Loading the fleet at the start. */
  readonly loadMs: number
  readonly mibPer10k: number
  /** By name of the query: CPU time of this process for one response. */
  readonly cpuMs: ReadonlyMap<string, number>
  /** Elapsed time of a full audit: the first one, and the next one after a claim. */
  readonly auditMs: readonly [cold: number, again: number]
}

const GROWTH_SIZES: readonly number[] = [1_000, 10_000, 50_000]
/** Instances per host, each with allocations of three classes: 100,000 hosts have 2,100,000 allocations. */
const INSTANCES = 7
const OF_EACH_INSTANCE = 2
const ASKS = 300
const WARM = 100

const SHAPE = 'resources=VCPU:1,MEMORY_MB:256,DISK_GB:10&limit=10'
/** Of a thousand hosts, nine have CUSTOM_RARE, one has CUSTOM_OTHER, and none has both. */
const QUESTIONS: readonly (readonly [name: string, query: string])[] = [
  ['any ten', SHAPE],
  ['ten with a rare trait', `${SHAPE}&required=CUSTOM_RARE`],
  ['none: more than any provider has', `${SHAPE}&resources1=VCPU:1000&group_policy=none`],
  ['none: traits that no provider combines', `${SHAPE}&required=CUSTOM_RARE,CUSTOM_OTHER`],
]

/** Name of the query for ten candidates right after a claim on one host. */
const WRITTEN = 'ten after a claim'

export async function benchGrowth(sizes: readonly number[] = GROWTH_SIZES): Promise<GrowthRow[]> {
  const rows: GrowthRow[] = []
  for (const providers of sizes) {
    const { database, stop } = await openBenchDatabase(4)
    try {
      await grow(database, providers)
      rows.push(await measured(database, providers))
    } finally {
      await stop()
    }
  }
  return rows
}

async function measured(database: Database, providers: number): Promise<GrowthRow> {
  const before = heapBytes()
  const begun = performance.now()
  const forest = await new ProviderForest(database).caughtUp()
  const loadMs = performance.now() - begun
  if (forest.size !== providers) throw new Error(`${forest.size} providers, not ${providers}`)
  const mibPer10k = ((heapBytes() - before) / 2 ** 20 / providers) * 10_000
  const api = openPlacement({
    ...{ database, forest, now: () => Date.now(), newId: () => randomUUID(), chance: Math.random },
    log: { error: (fields: unknown) => console.error(fields) },
    settings: placementSettings({ BERTH_PLACEMENT_AUTH: 'noauth2' }),
  })
  const cpuMs = new Map<string, number>()
  for (const [name, query] of QUESTIONS)
    cpuMs.set(name, await costOf(() => ask(api, `/allocation_candidates?${query}`)))
  const [first] = forest.trees()
  const { claim, after } = await costsOfClaims(api, first?.root.id ?? '')
  cpuMs.set('a claim', claim)
  cpuMs.set(WRITTEN, after)
  const claimOne = () => costsOfClaims(api, first?.root.id ?? '', 1)
  return { providers, loadMs, mibPer10k, cpuMs, auditMs: await audited(database, forest, claimOne) }
}

async function audited(database: Database, forest: ProviderForest, change: () => Promise<unknown>) {
  const onFailure = (error: unknown) => console.error(error)
  const feed = await EventFeed.open(database, { onFailure })
  const fleet = await Projection.open({ database, feed, onFailure })
  const { auditing } = makeAudit({ ...{ database, fleet, forest }, demand: async () => ({}), now: () => Date.now() })
  const timed = async (ask: { readonly cold?: boolean }) => {
    const begun = performance.now()
    const { findings } = await auditing.audit(ask)
    if (findings.length > 0) throw new Error(`${findings.length} findings, such as ${JSON.stringify(findings[0])}`)
    return performance.now() - begun
  }
  const cold = await timed({ cold: true })
  await change()
  const again = await timed({})
  await fleet.stop()
  await feed.stop()
  return [cold, again] as const
}

async function costOf(work: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < WARM; n++) await work()
  const before = process.cpuUsage()
  for (let n = 0; n < ASKS; n++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / ASKS
}

/** CPU time of a claim, and of the first query after it. */
async function costsOfClaims(
  api: PlacementApi,
  provider: string,
  claims = WARM,
): Promise<{ claim: number; after: number }> {
  const spent = { claim: 0, after: 0 }
  const timed = async (part: keyof typeof spent, work: () => Promise<unknown>) => {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    spent[part] += (user + system) / 1_000 / claims
  }
  for (let n = 0; n < claims; n++) {
    const claim = { allocations: { [provider]: { resources: { VCPU: 1 } } }, project_id: 'p', user_id: 'u' }
    const body = { ...claim, consumer_generation: null, consumer_type: 'INSTANCE' }
    await timed('claim', () => ask(api, `/allocations/${randomUUID()}`, { method: 'PUT', body }))
    await timed('after', () => ask(api, `/allocation_candidates?${SHAPE}`))
  }
  return spent
}

async function ask(api: PlacementApi, path: string, { method = 'GET', body }: { method?: string; body?: object } = {}) {
  const headers = {
    ...{ 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' },
    ...(body && { 'content-type': 'application/json' }),
  }
  const init = body && { body: JSON.stringify(body) }
  const response = await api.respond(new Request(`http://bench/placement${path}`, { method, headers, ...init }))
  const text = await response.text()
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`)
}

/** Flat hosts with three inventories, instances, ten common traits, and an aggregate per five hundred hosts. */
async function grow(database: Database, providers: number): Promise<void> {
  const client = await database.pool.connect()
  const sql = (text: string) => client.query(text)
  // These rows are valid by construction; checking foreign keys would take longer than everything else.
  await sql('set statement_timeout = 0')
  await sql('set session_replication_role = replica')
  await sql(`insert into trait (name) values ('CUSTOM_RARE'), ('CUSTOM_OTHER')`)
  await sql(`insert into aggregate (id) select ('00000000-0000-0000-0001-' || lpad(n::text, 12, '0'))::uuid
    from generate_series(0, ${providers} / 500) n`)
  await sql(`insert into resource_provider (id, name, root_id, generation)
    select id, 'host-' || lpad(n::text, 6, '0'), id, 3
    from (select n, ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid as id
      from generate_series(1, ${providers}) n) made`)
  await sql(`insert into inventory (provider_id, resource_class, total, reserved, max_unit, allocation_ratio_milli, used)
    select p.id, c.of, c.total, c.reserved, c.total, c.ratio, ${INSTANCES * OF_EACH_INSTANCE} from resource_provider p, (values ('VCPU', 256, 0, 4000),
      ('MEMORY_MB', 262144, 512, 1000), ('DISK_GB', 4000, 0, 1000)) as c (of, total, reserved, ratio)`)
  const instance = `('00000000-0000-0000-0002-' || lpad((right(p.name, 6)::int * ${INSTANCES} + n)::text, 12, '0'))::uuid`
  const instances = `resource_provider p, generate_series(1, ${INSTANCES}) n`
  await sql(
    `insert into consumer (id, type, project, "user") select ${instance}, 'INSTANCE', 'p' || n, 'u' from ${instances}`,
  )
  await sql(`insert into allocation (consumer_id, provider_id, resource_class, amount)
    select ${instance}, p.id, c.of, ${OF_EACH_INSTANCE} from ${instances}, (values ('VCPU'), ('MEMORY_MB'), ('DISK_GB')) as c (of)`)
  await sql(`insert into provider_trait (provider_id, trait) select p.id, t.name from resource_provider p,
    (select name from trait where name like 'HW\\_CPU\\_X86%' order by name limit 10) t`)
  await sql(`insert into provider_trait (provider_id, trait)
    select id, case when right(name, 3) = '050' then 'CUSTOM_OTHER' else 'CUSTOM_RARE' end
    from resource_provider where name like '%50'`)
  await sql(`insert into provider_aggregate (provider_id, aggregate_id)
    select id, ('00000000-0000-0000-0001-' || lpad((right(name, 6)::int / 500)::text, 12, '0'))::uuid from resource_provider`)
  await sql('vacuum analyze')
  client.release(true)
}

/** Memory in use after garbage collection. */
function heapBytes(): number {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function printRows(rows: readonly GrowthRow[]): void {
  for (const { providers, loadMs, mibPer10k, cpuMs, auditMs } of rows) {
    console.log(`${providers} providers: read in ${loadMs.toFixed(0)} ms, ${mibPer10k.toFixed(1)} MiB for 10 000`)
    for (const [name, ms] of cpuMs) console.log(`  ${name.padEnd(40)}${ms.toFixed(2).padStart(8)} ms`)
    console.log(`  a cold audit ${auditMs[0].toFixed(0)} ms, the next one ${auditMs[1].toFixed(0)} ms`)
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const sizes = process.argv.slice(2).map(Number)
  printRows(await benchGrowth(sizes.length > 0 ? sizes : GROWTH_SIZES))
}
