import { randomUUID } from 'node:crypto'
import { openPlacement, placementSettings } from '../../api/placement/opened'
import { type Audit, makeAudit } from '../../audit/audit'
import { healByRules } from '../../audit/rules'
import { FINDING_KINDS } from '../../engine/audit'
import type { Actor } from '../../engine/change'
import { decide } from '../../engine/claim'
import { demandOf, type Flavor, type Image } from '../../engine/demand'
import type { Host, HostSpec } from '../../engine/host'
import { adopt } from '../../engine/lifecycle'
import type { ClaimId, InstanceId } from '../../engine/words/ids'
import { ProviderForest } from '../../fleet/candidates-forest'
import type { Projection } from '../../fleet/projection'
import { openFleet } from '../../fleet/testing/open-fleet'
import { putSetting } from '../../store/catalog/policy'
import { commit } from '../../store/commit/commit'
import type { Database } from '../../store/database/database'
import { relayOnce } from '../../store/event/relay'
import { readOpenFindings } from '../../store/finding/list'
import { readPlan } from '../../store/heal/plan'
import { putHealRule } from '../../store/heal/rule'
import { readHosts } from '../../store/host/read'
import { putHosts } from '../../store/host/write'
import { noteSurvey } from '../../store/survey/survey'
import type { Chance } from '../chance'
import { openNovaLike } from './client'

// A client and Berth share one database. Berth audits, runs automatic repair for every kind of finding and applies
// every repair that can be planned, while its own rows are damaged and the client writes. Only the client may change
// the client's rows.

export interface OwnersRunOptions {
  readonly database: Database
  readonly hosts: readonly HostSpec[]
  readonly chance: Chance
  /** How many writes the client makes. */
  readonly writes: number
}

export interface OwnersReport {
  readonly writes: number
  /** The client's writes by response status. */
  readonly byStatus: Readonly<Record<string, number>>
  readonly audits: number
  /** Parts of repairs that were written, automatic and manual. */
  readonly repaired: number
  /** Findings about rows of the client, over all audits. */
  readonly foreign: number
  /** Rows of the client that changed between two of its writes. */
  readonly changed: readonly string[]
}

const EVERY = 10 // client writes between two rounds of Berth
const ACTOR: Actor = { who: 'simulation', request: 'simulation', reason: 'simulation of owners' }
const CAP = 10_000
const FLAVOR: Flavor = {
  name: 'small',
  vcpus: 1,
  memoryMib: 512,
  diskGib: 1,
  extraSpecs: { 'hw:cpu_policy': 'dedicated' },
}
const IMAGE: Image = { name: 'none', properties: {} }

export async function runOwners({ database, hosts, chance, writes }: OwnersRunOptions): Promise<OwnersReport> {
  const berth = await openBerth(database, hosts)
  const api = openPlacement({
    ...{ database, forest: berth.forest, log: { error: fail }, now: () => Date.now(), newId: () => randomUUID() },
    ...{ chance: () => 0, settings: placementSettings({ BERTH_PLACEMENT_AUTH: 'noauth2' }) },
  })
  const hosted = berth.fleet
    .hosts()
    .flatMap(({ providers }) =>
      providers.flatMap(({ id, inventories }) =>
        inventories.slice(0, 1).map((each) => [id, each.resourceClass] as const),
      ),
    )
  const nova = await openNovaLike({ api, database, chance, hosted })
  const byStatus: Record<string, number> = {}
  const changed: string[] = []
  let [audits, repaired, foreign] = [0, 0, 0]
  for (let write = 0; write < writes; write++) {
    // Allocations made while the setting allows them stay when it no longer does, and are then findings.
    if (write % EVERY === 0) await putSetting(database, 'foreign-instances', chance.permille(600) ? 'allow' : 'refuse')
    const status = await nova.step()
    byStatus[status] = (byStatus[status] ?? 0) + 1
    if (write % EVERY !== EVERY - 1 && write !== writes - 1) continue
    await putSetting(database, 'foreign-instances', 'refuse')
    const before = await nova.rows()
    await damage(database, berth, chance)
    const round = await repairAll(database, berth.audit)
    audits += 1
    repaired += round.repaired
    foreign += round.foreign
    changed.push(...differences(before, await nova.rows()))
    await relayOnce(database)
  }
  await berth.stop()
  return { writes, byStatus, audits, repaired, foreign, changed }
}

function fail(body: unknown): never {
  throw new Error(JSON.stringify(body))
}

interface Berth {
  readonly fleet: Projection
  readonly forest: ProviderForest
  readonly audit: Audit
  stop(): Promise<void>
}

async function openBerth(database: Database, hosts: readonly HostSpec[]): Promise<Berth> {
  await putHosts(database, hosts, { actor: ACTOR, at: Date.now() })
  const { fleet, stop } = await openFleet(database, { pollMs: 50 })
  const forest = new ProviderForest(database)
  const audit = makeAudit({ database, fleet, forest, demand: async () => ({}), now: () => Date.now() })
  for (const kind of FINDING_KINDS) {
    await putHealRule(database, { kind, on: true, dailyCap: CAP, actor: ACTOR, at: Date.now() })
  }
  return { fleet, forest, audit, stop }
}

/** Leaves rows of Berth as a crash would, and sometimes adopts an instance. */
async function damage(database: Database, { fleet }: Berth, chance: Chance): Promise<void> {
  const host = chance.pick(await readHosts(database))!
  if (chance.permille(500)) await adoptOn(database, host)
  const { id, inventories } = host.providers.find((each) => each.inventories.length > 0)!
  const leaked = randomUUID()
  await database.pool.query(`insert into consumer (id, type, owner_kind) values ($1, 'MIGRATION', 'berth')`, [leaked])
  await database.pool.query(
    'insert into allocation (consumer_id, provider_id, resource_class, amount) values ($1, $2, $3, 1)',
    [leaked, id, inventories[0]!.resourceClass],
  )
  // A repair frees only what two surveys show to be unused.
  for (const ago of [120_000, 60_000]) {
    const at = Date.now() - ago
    await noteSurvey(
      database,
      fleet.hosts().map((each) => ({ host: each.id, at, guests: [] })),
    )
  }
}

/** Sometimes under an id that the client already uses for a consumer; then nothing is written. */
async function adoptOn(database: Database, host: Host): Promise<void> {
  const demand = demandOf(FLAVOR, IMAGE, {})
  if (!demand.ok) return
  const verdict = decide({ demand: demand.demand, host, instance: null, group: null, live: null, excludedHost: null })
  if (!verdict.ok) return
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from consumer where owner_name = 'nova' and random() < 0.3 limit 1`,
  )
  const id = (rows[0]?.id ?? randomUUID()) as InstanceId
  const row = { id, name: id, project: 'p', flavor: FLAVOR, image: IMAGE, zone: null, group: null }
  const claim = { id: randomUUID() as ClaimId, plan: verdict.plan }
  await commit(database, adopt(row, claim, { actor: ACTOR, at: Date.now() }))
}

/** Applies every automatic and manual repair for the findings of one audit. */
async function repairAll(database: Database, audit: Audit): Promise<{ repaired: number; foreign: number }> {
  const run = await audit.auditing.audit({ cold: true })
  let repaired = await healByRules({ database, healing: audit.healing, now: () => Date.now() }, run)
  for (const { id } of await readOpenFindings(database)) {
    const planned = await audit.healing.plan([id], 'simulation')
    if (!planned.ok) continue
    const plan = await readPlan(database, planned.plan)
    const parts = plan?.parts.map(({ n }) => n) ?? []
    repaired += (await audit.healing.apply({ plan: planned.plan, parts, actor: ACTOR })).applied
  }
  return { repaired, foreign: run.findings.filter(({ kind }) => kind === 'foreign-allocation').length }
}

function differences(before: readonly string[], after: readonly string[]): string[] {
  const [was, is] = [new Set(before), new Set(after)]
  return [
    ...before.filter((row) => !is.has(row)).map((row) => `gone: ${row}`),
    ...after.filter((row) => !was.has(row)).map((row) => `new: ${row}`),
  ]
}
