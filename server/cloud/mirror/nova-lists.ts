import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { CloudJob, CloudServer, CloudService, CloudTopology, Part } from '../../engine/cloud/snapshot'
import {
  aggregateOf,
  flavorOf,
  groupOf,
  hypervisorOf,
  jobOf,
  MissingFieldError,
  migrationOf,
  serverOf,
  serviceOf,
  topologyOf,
  zoneOf,
} from '../answers/from-nova'
import {
  actionEventSchema,
  aggregateSchema,
  flavorSchema,
  hypervisorSchema,
  liveJobSchema,
  migrationSchema,
  type NovaServerGroup,
  serverGroupSchema,
  serverSchema,
  serviceSchema,
  topologySchema,
  zoneSchema,
} from '../answers/nova'
import { type CloudClient, PRIORITY, type Reading } from '../client'
import { CloudError } from '../http/errors'
import { HIGHEST } from '../http/microversion'
import { partOf } from './parts'

// The requests to Nova, each as a part of the snapshot.

const NOVA = { service: 'compute' } as const

/** The clocks of two writers and of the answering node differ a little; reading rows twice does no harm. */
const SLACK_MS = 60_000
const sinceQuery = (since: number | null): Readonly<Record<string, string>> =>
  since === null ? {} : { 'changes-since': `${new Date(since - SLACK_MS).toISOString().slice(0, 19)}Z` }

/** With `since`, those that changed, including the deleted ones with status DELETED. */
export async function readServers(client: CloudClient, since: number | null): Promise<Part<ServerChanges>> {
  const part = await partOf(
    client.list({
      ...{ ...NOVA, path: '/servers/detail', query: { all_tenants: '1', ...sinceQuery(since) }, key: 'servers' },
      item: serverSchema,
      idOf: ({ id }) => id,
    }),
    (rows) => rows,
  )
  if (!part.isRead) return part
  const there: CloudServer[] = []
  const flavors = new Map<string, CloudServer['flavor']>()
  for (let from = 0; from < part.value.length; from += ROWS_A_PART) {
    const rows = part.value.slice(from, from + ROWS_A_PART).filter(({ status }) => status !== 'DELETED')
    const read = await partOf(Promise.resolve({ value: rows, at: part.at }), (some) => some.map(serverOf))
    if (!read.isRead) return read
    for (const server of read.value) there.push({ ...server, flavor: shared(flavors, server.flavor) })
    await nextTurn()
  }
  const gone = part.value.filter(({ status }) => status === 'DELETED').map(({ id }) => id)
  return { ...part, value: { there, gone } }
}

interface ServerChanges {
  readonly there: readonly CloudServer[]
  readonly gone: readonly string[]
}

/** Instances converted before yielding to the event loop. */
const ROWS_A_PART = 500

/** One object for all copies of a flavor, so that results for it are computed once. */
function shared(flavors: Map<string, CloudServer['flavor']>, flavor: CloudServer['flavor']): CloudServer['flavor'] {
  const key = JSON.stringify(flavor)
  const known = flavors.get(key) ?? flavor
  flavors.set(key, known)
  return known
}

/** One instance by id; null when Nova does not have it, undefined when that is unknown. */
export async function readServer(client: CloudClient, id: string): Promise<CloudServer | null | undefined> {
  const answer = z.looseObject({ server: serverSchema })
  try {
    const { value } = await client.get({ ...NOVA, path: `/servers/${id}`, answer, priority: PRIORITY.details })
    return serverOf(value.server)
  } catch (error) {
    if (error instanceof CloudError) return error.kind === 'not-found' ? null : undefined
    if (error instanceof MissingFieldError) return undefined
    throw error
  }
}

export const readMigrations = (
  client: CloudClient,
  filter: { readonly since?: number | null; readonly instance?: string },
) =>
  partOf(
    client.list({
      ...{ ...NOVA, path: '/os-migrations', key: 'migrations' },
      query: { ...sinceQuery(filter.since ?? null), ...(filter.instance && { instance_uuid: filter.instance }) },
      item: migrationSchema,
      idOf: ({ uuid }) => uuid ?? '',
    }),
    (rows) => rows.map(migrationOf),
  )

/** Incomplete while a cell is down: its services are listed without a state, and its instances are not listed. */
export async function readServices(client: CloudClient): Promise<Part<readonly CloudService[]>> {
  const answer = z.looseObject({ services: z.array(serviceSchema) })
  const part = await partOf(client.get({ ...NOVA, path: '/os-services', answer }), ({ services }) => ({
    rows: services.filter(({ status }) => status !== 'UNKNOWN').map(serviceOf),
    complete: services.every(({ status }) => status !== 'UNKNOWN'),
  }))
  return part.isRead ? { ...part, complete: part.value.complete, value: part.value.rows } : part
}

export const readHypervisors = (client: CloudClient) =>
  partOf(
    client.list({
      ...{ ...NOVA, path: '/os-hypervisors/detail', key: 'hypervisors', highest: HIGHEST.hypervisors },
      item: hypervisorSchema,
      idOf: ({ id }) => String(id),
    }),
    (rows) => rows.map(hypervisorOf),
  )

export const readAggregates = (client: CloudClient) =>
  partOf(
    client.get({ ...NOVA, path: '/os-aggregates', answer: z.looseObject({ aggregates: z.array(aggregateSchema) }) }),
    ({ aggregates }) => aggregates.map(aggregateOf),
  )

export const readZones = (client: CloudClient) =>
  partOf(
    client.get({
      ...{ ...NOVA, path: '/os-availability-zone/detail' },
      answer: z.looseObject({ availabilityZoneInfo: z.array(zoneSchema) }),
    }),
    ({ availabilityZoneInfo }) => availabilityZoneInfo.map(zoneOf),
  )

export const readFlavors = (client: CloudClient) =>
  partOf(
    client.list({
      ...{ ...NOVA, path: '/flavors/detail', query: { is_public: 'None' }, key: 'flavors' },
      item: flavorSchema,
      idOf: ({ id }) => id,
    }),
    (rows) => rows.map(flavorOf),
  )

export const readGroups = (client: CloudClient) => partOf(listGroups(client), (rows) => rows.map(groupOf))

const GROUPS_A_PAGE = 1_000
const groupsSchema = z.looseObject({ server_groups: z.array(serverGroupSchema) })

/** A list that changes as often while it is read cannot be read as a whole. */
const MAX_READINGS = 5
const GROUPS_PATH = '/os-server-groups'

async function listGroups(client: CloudClient): Promise<Reading<readonly NovaServerGroup[]>> {
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    const listed = await readGroupPages(client)
    if (listed !== null) return listed
  }
  const call = { ...NOVA, method: 'GET', path: GROUPS_PATH } as const
  throw new CloudError(call, { kind: 'protocol', what: 'it changes faster than its pages can be read' })
}

/**
 * Pages by offset, without links: Nova's own limit may be lower than requested, so only a page without a new row is the
 * end. Each begins with the last row of the page before; null: it does not, because the deletion of a group shifted
 * the rows, and the page would omit some.
 */
async function readGroupPages(client: CloudClient): Promise<Reading<readonly NovaServerGroup[]> | null> {
  const groups: NovaServerGroup[] = []
  let first: number | null = null
  for (;;) {
    const last = groups.at(-1)
    const offset = Math.max(0, groups.length - 1)
    const query = { all_projects: '1', limit: String(GROUPS_A_PAGE), offset: String(offset) }
    const { value, at } = await client.get({ ...NOVA, path: GROUPS_PATH, query, answer: groupsSchema })
    first ??= at
    const rows = value.server_groups
    if (last !== undefined && rows[0]?.id !== last.id) return null
    const added = rows.slice(last === undefined ? 0 : 1)
    if (added.length === 0) return { value: groups, at: first }
    groups.push(...added)
  }
}

export const readTopology = (client: CloudClient, instance: string): Promise<Part<CloudTopology>> =>
  partOf(
    client.get({
      ...{ ...NOVA, path: `/servers/${instance}/topology`, priority: PRIORITY.topology },
      answer: topologySchema,
    }),
    topologyOf,
  )

/** The job of one running live migration; null when Nova has no figures for it. */
export async function readJob(client: CloudClient, instance: string, migration: number): Promise<CloudJob | null> {
  const answer = z.looseObject({ migrations: z.array(liveJobSchema) })
  const path = `/servers/${instance}/migrations`
  const part = await partOf(client.get({ ...NOVA, path, answer, priority: PRIORITY.details }), ({ migrations }) =>
    migrations.filter(({ id }) => id === migration).map(jobOf),
  )
  return part.isRead ? (part.value[0] ?? null) : null
}

const MAX_FAULT_LENGTH = 300

/** Why a request for an instance failed, by the events of its action; null when they do not say. */
export async function readActionFault(
  client: CloudClient,
  instance: string,
  request: string | null,
): Promise<string | null> {
  if (request === null) return null
  const answer = z.looseObject({ instanceAction: z.looseObject({ events: z.array(actionEventSchema).nullish() }) })
  const path = `/servers/${instance}/os-instance-actions/${request}`
  const part = await partOf(client.get({ ...NOVA, path, answer, priority: PRIORITY.details }), (value) =>
    (value.instanceAction.events ?? []).find(({ result }) => result === 'Error'),
  )
  if (!part.isRead || part.value === undefined) return null
  const { details, traceback } = part.value
  // The last line of a traceback is the exception and its message; `details` has them without the line numbers.
  const reason = details ?? traceback?.trim().split('\n').at(-1) ?? null
  return reason === null ? null : reason.replace(/\s+/g, ' ').slice(0, MAX_FAULT_LENGTH)
}
