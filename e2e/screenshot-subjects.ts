import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { mutateApi, queryApi } from './api'
import type { CloudFiles } from './cloud-console'
import { failAndEvacuate, failHost, type Host, park, simulateDay } from './day'
import { SILENT } from './operator-actions'
import { registerTree, tokenOf } from './placement'
import type { Person } from './users'

// The objects in the screenshots, one of each kind. Creates those that a new fleet does not have.

/** An unused id: on an empty fleet every page of an object shows that there is none. */
export const NOTHING = '00000000-0000-0000-0000-000000000000'
/** A viewer. */
export const VIEWER: Person = { username: 'looks.on', password: 'opens-the-e2e-fleet' }

export interface Ids {
  readonly host: string
  /** Another host, marked as down. */
  readonly lost: string
  /** A host marked as fenced, whose evacuation has not started. */
  readonly fenced: string
  /** A host whose instances were rebuilt elsewhere, and that has not come back. */
  readonly evacuated: string
  /** A host that no survey has ever reached. */
  readonly silent: string
  readonly instance: string
  readonly migration: string
  /** A migration that awaits confirm or revert. */
  readonly waiting: string
  readonly ended: string
  readonly failed: string
  /** A migration that has stopped because its records contradict each other. */
  readonly parked: string
  /** A drain that is planned but not started. */
  readonly run: string
  readonly finding: string
  /** A repair that is planned but not applied. */
  readonly heal: string
  /** A provider tree of another client. */
  readonly tree: string
  /** A watched cloud in which actions are allowed. */
  readonly cloud: string
  /** Files of a cloud that could be added. */
  readonly files: CloudFiles
}

const BUSIEST = { order: [{ by: 'instances', dir: 'desc' }] }

type Rows = { readonly rows: readonly { readonly id: string }[] }

export async function idsOf(api: APIRequestContext, port: number): Promise<Ids> {
  const [busiest, next] = (await queryApi<{ rows: readonly Host[] }>(api, 'host.list', BUSIEST)).rows
  if (busiest) await simulateDay(api, port, busiest)
  const all = async (list: string, input: object) => (await queryApi<Rows>(api, list, input)).rows.map(({ id }) => id)
  const first = async (list: string, input: object) => (await all(list, input))[0] ?? NOTHING
  const [host, lost] = [busiest?.id ?? NOTHING, next?.id ?? NOTHING]
  const outages = host === NOTHING ? NO_OUTAGES : await outagesOf(api, [host, lost])
  const parked = host === NOTHING ? NOTHING : ((await park(api, port)) ?? NOTHING)
  const tree = host === NOTHING ? NOTHING : await treeOf(api, port)
  await mutateApi(api, 'finding.audit', {})
  const findings = await all('finding.list', {})
  return {
    host,
    lost: lost === NOTHING ? lost : await stateDown(api, lost),
    ...outages,
    instance: await first('instance.list', {}),
    migration: await first('migration.list', { view: 'flight' }),
    waiting: await first('migration.list', { view: 'waiting', where: [{ key: 'waiting', any: ['person'] }] }),
    ended: await first('migration.list', { view: 'history', where: [{ key: 'outcome', any: ['completed'] }] }),
    failed: await first('migration.list', { view: 'history', where: [{ key: 'outcome', any: ['failed'] }] }),
    parked,
    run: host === NOTHING ? NOTHING : await drainOf(api, host),
    finding: findings[0] ?? NOTHING,
    heal: await healOf(api, findings),
    tree,
    cloud: NOTHING,
    files: { clouds: '', secure: '' },
  }
}

const NO_OUTAGES = { fenced: NOTHING, evacuated: NOTHING, silent: NOTHING }

/** Hosts at other stages of an evacuation than the one that is down. Few instances, so that it ends soon. */
async function outagesOf(api: APIRequestContext, taken: readonly string[]): Promise<typeof NO_OUTAGES> {
  const asked = { order: [{ by: 'instances', dir: 'asc' }], where: [{ key: 'status', any: ['up'] }], limit: 200 }
  const { rows } = await queryApi<{ rows: readonly (Host & { instances: number })[] }>(api, 'host.list', asked)
  const calm = rows.filter(({ id, name, instances }) => instances > 0 && name !== SILENT && !taken.includes(id))
  const [fenced, evacuated] = calm
  if (fenced) await failHost(api, fenced.id)
  if (evacuated) await failAndEvacuate(api, evacuated)
  const { rows: silent } = await queryApi<Rows>(api, 'host.list', { where: [{ key: 'host', any: [SILENT] }] })
  return { fenced: fenced?.id ?? NOTHING, evacuated: evacuated?.id ?? NOTHING, silent: silent[0]?.id ?? NOTHING }
}

async function stateDown(api: APIRequestContext, host: string): Promise<string> {
  await mutateApi(api, 'host.setStatus', { id: host, status: 'down', reason: 'power supply failed' })
  return host
}

async function drainOf(api: APIRequestContext, host: string): Promise<string> {
  const plan = { kind: 'drain', host, fallback: 'cold', helpers: true, reason: 'firmware update' }
  return (await mutateApi<{ run: string }>(api, 'run.plan', plan)).run
}

/** Plans a repair for the first finding that has one. */
async function healOf(api: APIRequestContext, findings: readonly string[]): Promise<string> {
  for (const finding of findings) {
    const made = await mutateApi<{ plan: string }>(api, 'heal.plan', { findings: [finding] }).catch(() => null)
    if (made) return made.plan
  }
  return NOTHING
}

async function treeOf(api: APIRequestContext, port: number): Promise<string> {
  const [root, instance, migration] = [randomUUID(), randomUUID(), randomUUID()]
  await registerTree(api, await tokenOf(port, 'pictures'), {
    name: 'compute-114.rack-7',
    root,
    instance: instance,
    migration,
  })
  return root
}
