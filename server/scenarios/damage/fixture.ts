import type { Audit } from '../../audit/audit'
import type { FindingBody } from '../../audit/auditing'
import type { FindingBrief } from '../../engine/heal/predicted-findings'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { ALIASES, flavor, pinned } from '../../engine/testing/instances'
import type { InstanceId, MigrationId } from '../../engine/words/ids'
import type { UnitName } from '../../engine/words/units'
import { inTransaction } from '../../store/database/transaction'
import { readOpenFindings, type StoredFinding } from '../../store/finding/list'
import { readPlan } from '../../store/heal/plan'
import { auditOn, newScenario, type Scenario } from '../scenario'
import type { Damage } from './damages'

// One small fleet on PostgreSQL that is damaged many times: after each test its tables are restored.

export interface DamageFixture {
  readonly scenario: Scenario
  readonly audit: Audit
  readonly instances: Readonly<Record<'web' | 'plain', InstanceId>>
  damage(damage: Damage): Promise<void>
  /** The findings of an audit after this many surveys of all hosts; two by default. */
  found(surveys?: number): Promise<readonly StoredFinding<FindingBody>[]>
  /** The findings that a plan predicts for the next audit. */
  foreseen(plan: string): Promise<readonly FindingBrief[] | null>
  /** The device that the instance holds. */
  unitOf(instance: InstanceId): Promise<UnitName>
  restore(): Promise<void>
}

const [H1, H2] = [hostId(1), hostId(2)]
const ROOM = { vfs: 2, vfTags: { live_migratable: 'yes' }, cores: 8, diskGib: 100, shared: 4 }

export async function newDamageFixture(): Promise<DamageFixture> {
  const hosts = [smallHost({ n: 1, ...ROOM }), smallHost({ n: 2, ...ROOM, layout: 'nested' })]
  const scenario = await newScenario({ hosts })
  const audit = auditOn(scenario, { aliases: ALIASES })
  const web = await scenario.running({ flavor: pinned(2, { 'pci_passthrough:alias': 'vf:1' }), host: H2 })
  const plain = await scenario.running({ flavor: flavor(1), host: H1 })
  const moved = await scenario.operators.migrate(web, { operation: 'live-migrate', target: H1 })
  if (moved === null || (await scenario.untilEnded(moved)).outcome !== 'completed') throw new Error('It did not move.')
  const tables = await copyTables(scenario)
  return {
    ...{ scenario, audit, instances: { web, plain } },
    damage: (damage) => write(scenario, damage, { web, plain, moved }),
    found: (surveys = 2) => found(scenario, audit, surveys),
    foreseen: async (plan) => (await readPlan(scenario.database, plan))?.plan.foreseen ?? null,
    unitOf: (instance) => unitOf(scenario, instance),
    restore: () => restore(scenario, tables),
  }
}

async function unitOf(scenario: Scenario, instance: InstanceId): Promise<UnitName> {
  const [held] = await scenario.heldFor(instance)
  const unit = held?.body.units.find(({ use }) => use === 'device')?.unit
  if (unit === undefined) throw new Error('It holds no device.')
  return unit
}

async function found(
  scenario: Scenario,
  audit: Audit,
  surveys: number,
): Promise<readonly StoredFinding<FindingBody>[]> {
  for (let survey = 0; survey < surveys; survey++) {
    scenario.advanceClock(1_000)
    await scenario.survey()
  }
  scenario.advanceClock(1_000)
  await audit.auditing.audit({ cold: true })
  return readOpenFindings<FindingBody>(scenario.database)
}

type SubjectIds = Readonly<Record<'web' | 'plain', InstanceId>> & { readonly moved: MigrationId }

function write({ database }: Scenario, { sql, dangles, past }: Damage, named: SubjectIds): Promise<void> {
  const text = Object.entries(named).reduce(
    (replaced, [name, id]) => replaced.replaceAll(`:${name}`, `'${id}'::uuid`),
    sql,
  )
  return inTransaction(database, async (client) => {
    if (past) await client.query(`alter table ${past.table} drop constraint ${past.check}, disable trigger user`)
    if (dangles) await client.query('set local session_replication_role = replica')
    const { rowCount } = await client.query(text)
    if (rowCount === 0) throw new Error(`Nothing was damaged: ${text}`)
    if (!past) return
    await client.query('set local session_replication_role = origin')
    await client.query(`alter table ${past.table} enable trigger user`)
    await client.query(`alter table ${past.table} add constraint ${past.check} check (${past.test}) not valid`)
  })
}

async function copyTables({ database: { pool } }: Scenario): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  await pool.query('create schema kept')
  for (const { name } of rows) await pool.query(`create table kept."${name}" as table "${name}"`)
  return rows.map(({ name }) => name)
}

function restore({ database }: Scenario, tables: readonly string[]): Promise<void> {
  return inTransaction(database, async (client) => {
    await client.query('set local session_replication_role = replica')
    for (const name of tables) {
      await client.query(`delete from "${name}"`)
      await client.query(`insert into "${name}" overriding system value select * from kept."${name}"`)
    }
  })
}
