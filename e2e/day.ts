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
export async function simulateDay(door: APIRequestContext, port: number, busiest: Host): Promise<void> {
  const { rows } = await queryApi<Rows<Host>>(door, 'host.list', {
    order: [{ by: 'instances', dir: 'asc' }],
    limit: 200,
  })
  const [emptied, ...calm] = rows.filter(({ id, name }) => id !== busiest.id && name !== SILENT)
  await startMigrations(door, busiest.id)
  if (emptied) await empty(door, emptied.id)
  for (const { id } of calm.slice(0, 3)) await mutateApi(door, 'layout.convert', { host: id, reason: WHY })
  await healOne(door, port)
  await writeByHand(port, busiest)
}

async function startMigrations(door: APIRequestContext, busiest: string): Promise<void> {
  const live = ['amf-02', 'amf-03', 'amf-04', 'amf-05', 'db-02', 'db-03', 'db-04', 'cache-01', 'cache-02', 'cache-04']
  for (const name of live) await begin(door, name, { operation: 'live-migrate' })
  const confirmed = await begin(door, 'web-31', { operation: 'resize', flavor: 's1.medium' })
  const reverted = await begin(door, 'web-32', { operation: 'cold-migrate' })
  await begin(door, WAITS, { operation: 'cold-migrate' })
  await begin(door, 'cache-05', { operation: 'rebuild' })
  // One migration off the host in the screenshots; both sides hold its CPUs until it is confirmed.
  const instances = await queryApi<Rows<{ name: string }>>(door, 'instance.list', { host: busiest, limit: 200 })
  const pinned = instances.rows.find(({ name }) => name.startsWith('db-'))
  if (pinned) await begin(door, pinned.name, { operation: 'cold-migrate' })
  const aborted = await begin(door, 'cache-06', { operation: 'live-migrate' })
  if (aborted) await requestAction(door, aborted, 'abort')
  await settled(door)
  if (confirmed) await requestAction(door, confirmed, 'confirm')
  if (reverted) await requestAction(door, reverted, 'revert')
  await settled(door)
}

/** Null if the fleet has no such instance, or it fits on no host. */
const begin = (door: APIRequestContext, name: string, migration: Parameters<typeof startMigration>[2]) =>
  startMigration(door, name, migration).catch(() => null)

const requestAction = (door: APIRequestContext, id: string, wanted: string) =>
  mutateApi(door, 'migration.requestAction', { ids: [id], requestedAction: wanted, reason: WHY })

/** Waits until at most one migration is active: the one that never converges. */
async function settled(door: APIRequestContext): Promise<void> {
  const flying = async () => (await queryApi<{ flight: number }>(door, 'migration.counts', undefined)).flight
  await expect.poll(flying, { timeout: MIGRATIONS_WITHIN_MS, message: 'migrations in progress' }).toBeLessThanOrEqual(1)
}

async function empty(door: APIRequestContext, host: string): Promise<void> {
  const plan = { kind: 'drain', host, fallback: 'cold', helpers: false, reason: WHY }
  const { run } = await mutateApi<{ run: string }>(door, 'run.plan', plan)
  await mutateApi(door, 'run.start', { id: run, reason: WHY })
  const state = async () => (await queryApi<{ state: string }>(door, 'run.byId', { id: run })).state
  await expect.poll(state, { timeout: MIGRATIONS_WITHIN_MS, message: 'the drain' }).toMatch(/done|stopped/)
}

/** The host loses power, and an operator marks it as fenced. */
export async function failHost(door: APIRequestContext, host: string): Promise<void> {
  await mutateApi(door, 'simulator.fault', { do: 'kill', host })
  await mutateApi(door, 'host.setStatus', { id: host, status: 'fenced', reason: WHY })
}

export async function failAndEvacuate(door: APIRequestContext, { id, name }: Host): Promise<void> {
  await failHost(door, id)
  const plan = { kind: 'evacuation', host: id, fallback: 'cold', helpers: true, reason: WHY }
  const { run } = await mutateApi<{ run: string }>(door, 'run.plan', plan)
  await mutateApi(door, 'run.start', { id: run, reason: WHY, attest: name })
  const state = async () => (await queryApi<{ state: string }>(door, 'run.byId', { id: run })).state
  await expect.poll(state, { timeout: MIGRATIONS_WITHIN_MS, message: 'the evacuation' }).toMatch(/done|stopped/)
}

/**
 * Confirms a migration after the recorded host of its instance was edited. Null if the fleet has no such instance, or
 * it fits on no host.
 */
export async function park(door: APIRequestContext, port: number): Promise<string | null> {
  const id = await begin(door, PARKED, { operation: 'cold-migrate' })
  if (!id) return null
  const waiting = async () => {
    const migration = await queryApi<{ waiting: { for: string } | null; source: Host | null }>(door, 'migration.byId', {
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
  await requestAction(door, id, 'confirm')
  await expect.poll(waiting, { timeout: MIGRATIONS_WITHIN_MS, message: 'the parked migration' }).toMatch(/repair|^$/)
  return id
}

async function healOne(door: APIRequestContext, port: number): Promise<void> {
  await changeAmount(port, { instance: HEALED, resourceClass: 'VCPU', by: 3 })
  await mutateApi(door, 'finding.audit', {})
  const { rows } = await queryApi<Rows<{ id: string }>>(door, 'finding.list', {})
  const { plan } = await mutateApi<{ plan: string }>(door, 'heal.plan', { findings: rows.map(({ id }) => id) })
  const { part } = await queryApi<{ part: readonly { n: number }[] }>(door, 'heal.byId', { id: plan })
  await mutateApi(door, 'heal.applyParts', { id: plan, parts: part.map(({ n }) => n), reason: WHY })
}

async function writeByHand(port: number, busiest: Host): Promise<void> {
  await changeAmount(port, { instance: 'cache-07', resourceClass: 'MEMORY_MB', by: 512 })
  await changeAmount(port, { instance: 'db-01', resourceClass: 'MEMORY_MB', by: 1 })
  await dropAmount(port, { instance: 'cache-08', resourceClass: 'MEMORY_MB' })
  await orphanFunction(port, busiest.name)
}
