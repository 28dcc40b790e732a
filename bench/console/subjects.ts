import { connectDatabase } from '../../server/store/database/database'
import type { Api } from './api'

// Every page of the console with real content: a host, an instance, an active migration, a drain, a repair.

export interface Visit {
  /** The route, with `:id` for its subject. */
  readonly name: string
  readonly address: string
  /** CSS selector of an element that appears when the page has its data. */
  readonly ready: string
}

const rowsOf = (table: string) => `table[aria-label="${table}"] tr[data-row]`
/** The bar below every page has data from the start, so it does not count. */
const IN_MAIN = 'main h1'

export async function visitsOf(api: Api, databaseUrl: string): Promise<readonly Visit[]> {
  const { host, instance, migration } = await subjects(api)
  const { run } = await api.mutate('run.plan', {
    ...{ kind: 'drain', host, fallback: 'cold', helpers: true, reason: 'to be measured' },
  })
  const heal = await planHeal(api, databaseUrl)
  const shape = 'vcpus=96&memory=4096&disk=1&specs=hw:cpu_policy%3Ddedicated'
  return [
    { name: '/overview', address: '/overview', ready: '[data-host], [data-place]' },
    { name: '/hosts', address: '/hosts', ready: rowsOf('Hosts') },
    { name: '/hosts/:id', address: `/hosts/${host}`, ready: '[role=tabpanel] [data-place]' },
    { name: '/hosts/:id/evacuate', address: `/hosts/${host}/evacuate`, ready: 'main section' },
    { name: '/instances', address: '/instances', ready: rowsOf('Instances') },
    { name: '/instances/:id', address: `/instances/${instance}`, ready: '[role=tabpanel] section' },
    { name: '/migrations', address: '/migrations?view=flight', ready: rowsOf('Migrations, In flight') },
    { name: '/migrations/:id', address: `/migrations/${migration}`, ready: '[role=tabpanel] tr[data-row]' },
    {
      name: '/explain',
      address: `/explain?${shape}`,
      ready: `main:has([aria-label=Request] input) ${rowsOf('Hosts and rules')}`,
    },
    { name: '/claims', address: '/claims', ready: rowsOf('Claims') },
    { name: '/devices', address: '/devices', ready: rowsOf('Functions') },
    { name: '/capacity', address: '/capacity', ready: 'main tr[data-row]' },
    { name: '/heal', address: '/heal', ready: '[role=tabpanel] tr[data-row]' },
    { name: '/heal/:id', address: `/heal/${heal}`, ready: 'main section' },
    { name: '/drains', address: '/drains', ready: 'main tr[data-row]' },
    { name: '/drains/:id', address: `/drains/${run}`, ready: '[role=tabpanel] tr[data-row]' },
    { name: '/layout', address: '/layout', ready: rowsOf('Hosts by layout state') },
    { name: '/providers', address: '/providers', ready: IN_MAIN },
    { name: '/settings', address: '/settings', ready: 'main section' },
    { name: '/runbook/:kind', address: '/runbook/unit-held-twice', ready: IN_MAIN },
  ]
}

async function subjects(api: Api) {
  const migrations = await api.query('migration.list', { view: 'flight', limit: 1 })
  const instances = await api.query('instance.list', { limit: 200 })
  const hosts = await api.query('host.list', { limit: 200 })
  // An instance that may be live-migrated: the explain bench opens its migration drawer.
  const instance = instances.rows.find(({ permitted }) => permitted['live-migrate'].ok)
  const [fullest] = hosts.rows.filter(({ status }) => status === 'up').sort((a, b) => b.instances - a.instances)
  const migration = migrations.rows[0]
  if (!instance || !fullest || !migration) throw new Error('The demo fleet has no instance, no host or no migration.')
  return { host: fullest.id, instance: instance.id, migration: migration.id }
}

/** Changes an amount without Berth, so that there is a finding to repair. */
async function planHeal(api: Api, databaseUrl: string): Promise<string> {
  const database = connectDatabase({ url: databaseUrl, connections: 1 })
  await database.pool.query(`update allocation set amount = amount + 1 where (consumer_id, provider_id) in (
    select a.consumer_id, a.provider_id from allocation a join instance i on i.id = a.consumer_id
    where a.resource_class = 'MEMORY_MB' order by i.name limit 3) and resource_class = 'MEMORY_MB'`)
  await database.close()
  await api.mutate('finding.audit', {})
  const { rows } = await api.query('finding.list', { limit: 10 })
  return planned(
    api,
    rows.slice(0, 3).map(({ id }) => id),
  )
}

const PLAN_RETRY_MS = 5_000
const PLAN_LIMIT_MS = 180_000 // two surveys, each a minute after the last

/** A finding can be repaired only after two surveys. Retries, because the second may not have happened yet. */
async function planned(api: Api, findings: readonly string[]): Promise<string> {
  for (const until = Date.now() + PLAN_LIMIT_MS; ; await new Promise((again) => setTimeout(again, PLAN_RETRY_MS))) {
    try {
      return (await api.mutate('heal.plan', { findings })).plan
    } catch (cause) {
      if (Date.now() > until) throw cause
    }
  }
}
