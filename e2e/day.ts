import { type APIRequestContext, expect } from '@playwright/test'
import { mutateApi, queryApi, startMigration } from './api'
import { changeAmount, dropAmount, orphanFunction, runSql } from './direct-sql'
import { SILENT } from './operator-actions'

// Gives a new fleet what a fleet has after a day of work: migrations with every outcome, one that waits with devices on
// both sides, rows edited by hand that no audit has seen, a repair, a drained host, and a few hosts with nested
// providers.

const WHY = 'CHG-2041: replace network cards'
const MIGRATIONS_WITHIN_MS = 240_000
const HEALED = 'cache-03' // found and repaired; the other findings are still open
const PARKED = 'amf-08'
const WAITS = 'amf-06' // has pinned CPUs, NUMA nodes and VFs, so that its resource mapping has lines of each kind

export interface Host {
  readonly id: string
  readonly name: string
}
type Rows<Row> = { readonly rows: readonly Row[] }

/** `busiest` is the host in the screenshots. */
export async function simulateDay(api: APIRequestContext, port: number, busiest: Host): Promise<void> {
  const { rows } = await queryApi<Rows<Host>>(api, 'host.list', {
    order: [{ by: 'instances', dir: 'asc' }],
    limit: 200,
  })
  const [emptied, ...calm] = rows.filter(({ id, name }) => id !== busiest.id && name !== SILENT)
  await startMigrations(api, busiest.id)
  if (emptied) await empty(api, emptied.id)
  for (const { id } of calm.slice(0, 3)) await mutateApi(api, 'layout.convert', { host: id, reason: WHY })
  await healOne(api, port)
  await writeByHand(port, busiest)
}

async function startMigrations(api: APIRequestContext, busiest: string): Promise<void> {
  const live = ['amf-02', 'amf-03', 'amf-04', 'amf-05', 'db-02', 'db-03', 'db-04', 'cache-01', 'cache-02', 'cache-04']
  for (const name of live) await begin(api, name, { operation: 'live-migrate' })
  const confirmed = await begin(api, 'web-31', { operation: 'resize', flavor: 's1.medium' })
  const reverted = await begin(api, 'web-32', { operation: 'cold-migrate' })
  await begin(api, WAITS, { operation: 'cold-migrate' })
  await begin(api, 'cache-05', { operation: 'rebuild' })
  // One migration off the host in the screenshots; both sides hold its CPUs until it is confirmed.
  const instances = await queryApi<Rows<{ name: string }>>(api, 'instance.list', { host: busiest, limit: 200 })
  const pinned = instances.rows.find(({ name }) => name.startsWith('db-'))
  if (pinned) await begin(api, pinned.name, { operation: 'cold-migrate' })
  const aborted = await begin(api, 'cache-06', { operation: 'live-migrate' })
  if (aborted) await requestAction(api, aborted, 'abort')
  await settled(api)
  if (confirmed) await requestAction(api, confirmed, 'confirm')
  if (reverted) await requestAction(api, reverted, 'revert')
  await settled(api)
}

/** Null if the fleet has no such instance, or it fits on no host. */
const begin = (api: APIRequestContext, name: string, migration: Parameters<typeof startMigration>[2]) =>
  startMigration(api, name, migration).catch(() => null)

const requestAction = (api: APIRequestContext, id: string, wanted: string) =>
  mutateApi(api, 'migration.requestAction', { ids: [id], requestedAction: wanted, reason: WHY })

/** Waits until at most one migration is active: the one that never converges. */
async function settled(api: APIRequestContext): Promise<void> {
  const flying = async () => (await queryApi<{ flight: number }>(api, 'migration.counts', undefined)).flight
  await expect.poll(flying, { timeout: MIGRATIONS_WITHIN_MS, message: 'migrations in progress' }).toBeLessThanOrEqual(1)
}

async function empty(api: APIRequestContext, host: string): Promise<void> {
  const plan = { kind: 'drain', host, fallback: 'cold', helpers: false, reason: WHY }
  const { run } = await mutateApi<{ run: string }>(api, 'run.plan', plan)
  await mutateApi(api, 'run.start', { id: run, reason: WHY })
  const state = async () => (await queryApi<{ state: string }>(api, 'run.byId', { id: run })).state
  await expect.poll(state, { timeout: MIGRATIONS_WITHIN_MS, message: 'the drain' }).toMatch(/done|stopped/)
}

/** The host loses power, and an operator marks it as fenced. */
export async function failHost(api: APIRequestContext, host: string): Promise<void> {
  await mutateApi(api, 'simulator.fault', { do: 'kill', host })
  await mutateApi(api, 'host.setStatus', { id: host, status: 'fenced', reason: WHY })
}

export async function failAndEvacuate(api: APIRequestContext, { id, name }: Host): Promise<void> {
  await failHost(api, id)
  const plan = { kind: 'evacuation', host: id, fallback: 'cold', helpers: true, reason: WHY }
  const { run } = await mutateApi<{ run: string }>(api, 'run.plan', plan)
  await mutateApi(api, 'run.start', { id: run, reason: WHY, attest: name })
  const state = async () => (await queryApi<{ state: string }>(api, 'run.byId', { id: run })).state
  await expect.poll(state, { timeout: MIGRATIONS_WITHIN_MS, message: 'the evacuation' }).toMatch(/done|stopped/)
}

/**
 * Confirms a migration after the recorded host of its instance was edited. Null if the fleet has no such instance, or
 * it fits on no host.
 */
export async function park(api: APIRequestContext, port: number): Promise<string | null> {
  const id = await begin(api, PARKED, { operation: 'cold-migrate' })
  if (!id) return null
  const waiting = async () => {
    const migration = await queryApi<{ waiting: { for: string } | null; source: Host | null }>(api, 'migration.byId', {
      id,
    })
    return migration.waiting?.for ?? ''
  }
  await expect
    .poll(waiting, { timeout: MIGRATIONS_WITHIN_MS, message: 'the migration that is to be parked' })
    .toBe('person')
  await runSql(port, `update instance set host_id = (select source from migration where id = $1) where name = $2`, [
    id,
    PARKED,
  ])
  await requestAction(api, id, 'confirm')
  await expect.poll(waiting, { timeout: MIGRATIONS_WITHIN_MS, message: 'the parked migration' }).toMatch(/repair|^$/)
  return id
}

async function healOne(api: APIRequestContext, port: number): Promise<void> {
  await changeAmount(port, { instance: HEALED, resourceClass: 'VCPU', by: 3 })
  await mutateApi(api, 'finding.audit', {})
  const { rows } = await queryApi<Rows<{ id: string }>>(api, 'finding.list', {})
  const { plan } = await mutateApi<{ plan: string }>(api, 'heal.plan', { findings: rows.map(({ id }) => id) })
  const { part } = await queryApi<{ part: readonly { n: number }[] }>(api, 'heal.byId', { id: plan })
  await mutateApi(api, 'heal.applyParts', { id: plan, parts: part.map(({ n }) => n), reason: WHY })
}

async function writeByHand(port: number, busiest: Host): Promise<void> {
  await changeAmount(port, { instance: 'cache-07', resourceClass: 'MEMORY_MB', by: 512 })
  await changeAmount(port, { instance: 'db-01', resourceClass: 'MEMORY_MB', by: 1 })
  await dropAmount(port, { instance: 'cache-08', resourceClass: 'MEMORY_MB' })
  await orphanFunction(port, busiest.name)
}
