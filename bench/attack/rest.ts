import fc from 'fast-check'
import { isRole, ROLES as RANKS, type Role } from '../../server/api/permit/roles'
import type { OpenApiDocument } from '../../server/api/rest/openapi'
import { requestAt } from '../../server/api/testing/hostile/client'
import { type AnswerCheck, answerCheck } from '../../server/api/testing/rest/answers'
import { anyRequest, type KnownIds, type RestRequest } from '../../server/api/testing/rest/requests'
import { connectDatabase } from '../../server/store/database/database'
import { BenchServer } from '../console/server'
import { makeToken, SCOPED } from './attackers'
import { attackSettings } from './settings'
import { watchServer } from './watch'

// Requests generated from the OpenAPI document of a real server with the demo fleet, sent with tokens for three roles
// and with a token for one zone. Prints 5xx responses, requests accepted without permission, refused requests that
// wrote something, responses that differ from the document, writes of the zone token outside its zone, and critical
// findings that the audit did not report before. Exits with 1 if there is any.

const ROLES: readonly Role[] = ['viewer', 'operator', 'admin']
/** One in this many refusals is looked up in the audit log. */
const REFUSALS_PER_LOOKUP = 50
const MAX_FAILURES = 20
/** Per list. */
const MAX_IDS_PER_LIST = 40
/** Requests per batch. The current ids are read before each batch. */
const BATCH = 2_500

/** Findings that concern only the records. Findings about faults of the simulated hypervisors are expected here. */
const OF_RECORDS: ReadonlySet<string> = new Set([
  ...['over-capacity', 'usage-mismatch', 'unit-held-twice', 'pins-and-units-differ', 'child-class-on-root'],
  ...['consumer-has-two-claims', 'allocation-missing', 'amount-wrong', 'ended-migration-has-claim'],
  ...['migration-claim-wrong', 'instance-claim-wrong', 'instance-host-wrong', 'two-active-migrations', 'lease-wrong'],
  ...['two-providers', 'conversion-unfinished', 'unreadable-record', 'projection-differs'],
])

const USAGE = 'usage: npm run fuzz:rest -- [--calls 100000] [--seed 1] [--port 3391] [--at-once 16]'

const settings = attackSettings(USAGE, { calls: 100_000, port: 3391 })
const server = await BenchServer.start({ port: settings.port, demo: '24x200', speed: 20 })
try {
  process.exitCode = (await attack()) ? 0 : 1
} catch (error) {
  console.error(`${error}; end of the server log:\n${server.log}`)
  process.exitCode = 1
} finally {
  await server.remove()
}

async function attack(): Promise<boolean> {
  const tokens: Attacker[] = ROLES.map((role) => ({ role, zone: null, token: makeToken(server, role) }))
  const admin = tokens.at(-1)?.token ?? ''
  const read = async (path: string) =>
    (await fetch(server.origin + path, { headers: { 'x-auth-token': admin } })).json()
  const document: OpenApiDocument = await read('/api/v1/openapi.json')
  const zone: string = (await read('/api/v1/hosts?limit=1')).rows[0].zone
  tokens.push({ role: 'viewer', zone, token: makeToken(server, 'viewer', `operator@zone:${zone}`) })
  const before = await criticals(admin)
  const watch = watchServer(server)
  const began = performance.now()
  const seen = { count: {} as Record<string, number>, broken: [] as string[], lookedUp: 0, refused: 0 }
  const described = { check: answerCheck(document), answered: new Set<string>() }
  const least = leastRoles(document)

  const one = async (request: RestRequest, n: number) => {
    if (server.death !== null) throw new Error(server.death)
    const { role, token, zone } = tokens[n % tokens.length] ?? { role: 'admin', token: admin, zone: null }
    const { status, text, headers } = await ask(request, token)
    seen.count[status] = (seen.count[status] ?? 0) + 1
    if (status === 200) described.answered.add(request.operation)
    const fault = faultOf(described.check, { operation: request.operation, status, text })
    if (fault !== null)
      seen.broken.push(
        `${request.method} ${request.path.slice(0, 300)} does not conform to the OpenAPI document: ${fault}`,
      )
    const summary = `${request.method} ${request.path.slice(0, 300)} ${request.body?.slice(0, 300) ?? ''} → ${status} ${text.slice(0, 300)}`
    if (status === 0 || status >= 500) seen.broken.push(summary)
    else if (
      status < 300 &&
      zone === null &&
      RANKS.indexOf(role) < RANKS.indexOf(least.get(request.operation) ?? 'admin')
    )
      seen.broken.push(`permitted for ${role}: ${summary}`)
    else if (status >= 400 && seen.refused++ % REFUSALS_PER_LOOKUP === 0) {
      const where = encodeURIComponent(JSON.stringify([{ key: 'request', any: [String(headers['x-request-id'])] }]))
      const { rows } = await read(`/api/v1/audit-log?where=${where}`)
      seen.lookedUp++
      if (rows.some(({ outcome }: { outcome: string }) => outcome !== 'refused'))
        seen.broken.push(`refused but written: ${summary}`)
    }
  }
  const sent = await sendAll(one, async (sent) => {
    console.log(`${sent} requests, ${JSON.stringify(seen.count)}, ${seen.broken.length} failed`)
    return seen.broken.length > MAX_FAILURES ? null : anyRequest(document, await idsNow(document, read))
  })
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const unanswered = all.map(({ operationId }) => operationId).filter((id) => !described.answered.has(id))
  const scoped = await writtenBy(SCOPED, zone)
  seen.broken.push(...scoped.outside)
  const seconds = (performance.now() - began) / 1000
  const { grownMib, blockedMs } = await watch.stop()
  const found = (await criticals(admin)).filter((kind) => !before.includes(kind))
  console.log(
    `${sent} requests in ${seconds.toFixed(0)} s, seed ${settings.seed}; ${seen.lookedUp} refusals checked in the audit log`,
  )
  console.log(`${described.answered.size} operations returned 200; never:`)
  console.log(`  ${unanswered.join(', ') || 'none'}`)
  console.log(
    `the token of zone ${zone} wrote ${scoped.inside} times inside its zone, ${scoped.outside.length} times outside`,
  )
  console.log(
    `memory grew by ${grownMib.toFixed(0)} MiB; the event loop was blocked for up to ${blockedMs.toFixed(0)} ms`,
  )
  console.log(`kinds of critical findings before: ${before.join(', ') || 'none'}; new: ${found.join(', ') || 'none'}`)
  for (const line of seen.broken.slice(0, MAX_FAILURES)) console.log(`  ${line}`)
  return seen.broken.length === 0 && found.length === 0
}

/** Returns how many were sent. `nextBatch` returns null to stop. */
async function sendAll(
  send: (request: RestRequest, n: number) => Promise<void>,
  nextBatch: (sent: number) => Promise<fc.Arbitrary<RestRequest> | null>,
): Promise<number> {
  for (let from = 0; from < settings.calls; from += BATCH) {
    const size = Math.min(BATCH, settings.calls - from)
    const requests = await nextBatch(from)
    if (requests === null) return from
    const batch = fc.sample(requests, { numRuns: size, seed: settings.seed + from })
    let next = 0
    const worker = async () => {
      for (let at = next++; at < batch.length; at = next++) {
        const request = batch[at]
        if (request) await send(request, from + at)
      }
    }
    await Promise.all(Array.from({ length: settings.atOnce }, worker))
  }
  return settings.calls
}

/** Up to `MAX_IDS_PER_LIST` ids per list that requires no parameter. */
async function idsNow({ paths }: OpenApiDocument, read: (path: string) => Promise<unknown>): Promise<KnownIds> {
  const of: Record<string, readonly string[]> = {}
  for (const [path, { get }] of Object.entries(paths)) {
    if (!get || get.parameters?.some(({ required }) => required) || path === '/bundle') continue
    const ids = idsIn(await read(`/api/v1${path}`)).slice(0, MAX_IDS_PER_LIST)
    if (ids.length > 0) of[path] = ids
  }
  return { all: Object.values(of).flat(), of }
}

/** Ids of the rows in a response, or in a list inside it. */
function idsIn(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null) return []
  const lists = [answer, ...Object.values(answer)].filter(Array.isArray)
  return lists.flatMap((rows) => rows.flatMap(({ id }: { id?: unknown }) => (typeof id === 'string' ? [id] : [])))
}

interface SentAnswer {
  readonly operation: string
  readonly status: number
  readonly text: string
}

/** Checks a response below 500. A missing response or a 5xx is counted separately. */
function faultOf(check: AnswerCheck, { text, ...answer }: SentAnswer): string | null {
  if (answer.status === 0 || answer.status >= 500) return null
  try {
    return check.faultOf({ ...answer, body: JSON.parse(text) })
  } catch (error) {
    return `${error}`
  }
}

interface Attacker {
  readonly role: Role
  /** The zone in which it is operator; null: its role applies everywhere. */
  readonly zone: string | null
  readonly token: string
}

/**
 * Audit log entries of a token: how many concern hosts in its zone, and all others. The entry of a rollout does not
 * name its hosts, but its row does.
 */
async function writtenBy(name: string, zone: string): Promise<{ inside: number; outside: readonly string[] }> {
  const database = connectDatabase({ url: server.databaseUrl, connections: 1 })
  const { rows } = await database.pool.query<{ action: string; request: string; zones: readonly (string | null)[] }>(
    `select e.action, e.request, array(select h.zone from host h
       where h.id = any(e.hosts) or h.id = any(w.hosts)) as zones
     from audit_entry e left join layout_wave w on w.id::text = e.data->>'wave'
     where e.origin->>'credential' like '%' || $1 || '%' and e.action not like '%refused'`,
    [name],
  )
  await database.close()
  const isInside = (zones: readonly (string | null)[]) => zones.length > 0 && zones.every((each) => each === zone)
  return {
    inside: rows.filter(({ zones }) => isInside(zones)).length,
    outside: rows.flatMap(({ action, request, zones }) =>
      isInside(zones)
        ? []
        : [`${action} by the token of zone ${zone}, in ${zones.join(', ') || 'no zone'}: ${request}`],
    ),
  }
}

function ask({ method, path, body }: Pick<RestRequest, 'method' | 'path' | 'body'>, token: string) {
  const headers = { 'x-auth-token': token, ...(body === null ? {} : { 'content-type': 'application/json' }) }
  const bytes = body === null ? null : Buffer.from(body)
  return requestAt(settings.port, { method, path, headers, body: bytes }, { keptBytes: Number.POSITIVE_INFINITY })
}

/** Kinds of critical findings about the records. */
async function criticals(token: string): Promise<readonly string[]> {
  await ask({ method: 'POST', path: '/api/v1/audits', body: '{}' }, token)
  const { text } = await ask(
    { method: 'GET', path: '/api/v1/findings?severity=critical&limit=2000', body: null },
    token,
  )
  const { rows } = JSON.parse(text) as { rows: readonly { kind: string }[] }
  return [...new Set(rows.map(({ kind }) => kind))].filter((kind) => OF_RECORDS.has(kind)).sort()
}

function leastRoles({ paths }: OpenApiDocument): ReadonlyMap<string, Role> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return new Map(
    operations.map(({ operationId, description }) => {
      const role = /role (\w+)/.exec(description)?.[1] ?? ''
      if (!isRole(role)) throw new Error(`${operationId} does not name the role that it requires.`)
      return [operationId, role]
    }),
  )
}
