import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { makeAudit } from '../server/audit/audit'
import type { AuditRun } from '../server/audit/auditing'
import { NO_GUARDS } from '../server/engine/change'
import { ProviderForest } from '../server/fleet/candidates-forest'
import { Projection } from '../server/fleet/projection'
import { commitOn } from '../server/store/commit/commit'
import type { Database } from '../server/store/database/database'
import { EventFeed } from '../server/store/event/feed'
import { relayOnce } from '../server/store/event/relay'
import { putHosts } from '../server/store/host/write'
import { type HostAnswer, noteSurvey } from '../server/store/survey/survey'
import { ACTOR, benchHosts, openBenchDatabase } from './bench-fleet'
import type { BenchRow } from './projection'
import { fill } from './projection'

// How long an audit of 500 hosts with 20 000 instances takes: cold, a minute later, and with 200 faults in the records.

const HOSTS = 500
const FAULTS = 200

export interface AuditRow extends BenchRow {
  readonly goalMs?: number
}

const COLD_GOAL_MS = 30_000
const WARM_GOAL_MS = 1_000

export async function benchAudit(): Promise<AuditRow[]> {
  const { database, stop } = await openBenchDatabase(8)
  const rows: AuditRow[] = []
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const answer = await work()
    const goalMs = name.includes('cold') ? COLD_GOAL_MS : WARM_GOAL_MS
    rows.push({ name, ms: performance.now() - begun, ...(name.startsWith('audit') && { goalMs }) })
    return answer
  }
  try {
    await putHosts(database, benchHosts(HOSTS, 'load'), { actor: ACTOR, at: Date.now() })
    await fill(database)
    await database.pool.query('vacuum analyze')
    while ((await relayOnce(database)) > 0);
    const onFailure = (error: unknown) => {
      throw error
    }
    const feed = await EventFeed.open(database, { onFailure })
    const fleet = await Projection.open({ database, feed, onFailure })
    const { auditing } = makeAudit({
      database,
      fleet,
      forest: new ProviderForest(database),
      demand: async () => ({}),
      now: () => Date.now(),
    })
    await timed('store a survey of 500 hypervisors', () => survey(database, fleet))
    await timed('store the same survey again', () => survey(database, fleet))
    expectNone(await timed('cold audit', () => auditing.audit({ cold: true })))
    expectNone(await timed('audit a minute later, nothing changed', () => auditing.audit()))
    await touch(database, 64)
    expectNone(await timed('audit a minute later, 64 hosts changed', () => auditing.audit()))
    await strayAllocation(database)
    const found = await timed(`cold audit with ${FAULTS} orphaned allocations`, () => auditing.audit({ cold: true }))
    if (found.findings.length !== FAULTS) throw new Error(`${found.findings.length} findings, not ${FAULTS}`)
    await timed(`audit a minute later with ${FAULTS} orphaned allocations`, () => auditing.audit())
    await fleet.stop()
    await feed.stop()
    return rows
  } finally {
    await stop()
  }
}

function expectNone({ findings }: AuditRun): void {
  if (findings.length > 0)
    throw new Error(`${findings.length} findings in correct records: ${JSON.stringify(findings[0])}`)
}

async function survey(database: Database, fleet: Projection): Promise<void> {
  const at = Date.now()
  const answers = fleet.hosts().map(({ id, holdings }): HostAnswer => {
    const domains = holdings.map(
      ({ instance, body }) => ({ instance, migration: null, observedState: 'running', claim: body }) as const,
    )
    return { host: id, at, guests: domains }
  })
  for (let from = 0; from < answers.length; from += 64) await noteSurvey(database, answers.slice(from, from + 64))
}

/** Increments the generation of this many hosts, as claims do. */
async function touch(database: Database, count: number): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>('select id from host order by name limit $1', [count])
  for (const { id } of rows) {
    await commitOn(database.pool, {
      guards: { ...NO_GUARDS, providers: [{ provider: id as never, generation: null }] },
      writes: [],
      event: { kind: 'bench.touched', hosts: [id as never], instance: null, migration: null, data: {} },
      actor: ACTOR,
      at: Date.now(),
    })
  }
  while ((await relayOnce(database)) > 0);
}

async function strayAllocation(database: Database): Promise<void> {
  const ids = Array.from({ length: FAULTS }, () => randomUUID())
  await database.pool.query(
    `insert into consumer (id, type, owner_kind) select unnest($1::uuid[]), 'MIGRATION', 'berth'`,
    [ids],
  )
  await database.pool.query(
    `insert into allocation (consumer_id, provider_id, resource_class, amount)
     select c, h.id, 'MEMORY_MB', 1 from unnest($1::uuid[]) with ordinality u(c, n)
     join (select id, row_number() over (order by name) as n from host) h on h.n = u.n`,
    [ids],
  )
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { name, ms } of await benchAudit()) console.log(`${name.padEnd(64)}${ms.toFixed(0).padStart(8)} ms`)
}
