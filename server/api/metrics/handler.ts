import { timingSafeEqual } from 'node:crypto'
import type { Host } from '../../engine/host'
import { countAlarms } from '../../store/alarm/alarm'
import { readAuditNow } from '../../store/finding/finding'
import { readMetricRows } from '../../store/metrics/read'
import { readActiveMigrations } from '../../store/migration/list'
import { withTimeout } from '../../store/time/with-timeout'
import { isBlocked, silentHosts } from '../alarm/facts'
import { cloudHealth } from '../cloud/health'
import { hostNotes } from '../host/fleet-now'
import { contactOf, type HostNotes, NO_NOTES } from '../host/view'
import { slowMigrations } from '../migration/pace'
import type { ApiServices } from '../services'
import type { MetricsNow } from './metrics'

// The database may be frozen or gone when graphs matter most. A scrape still ends in time, with the metrics of this
// process.

/** Applies to the check of the caller, then again to the database. Scrapers give up after ten seconds. */
const LIMIT_MS = 4_000
/** No statement of ours runs longer: a read that has not ended by then never will. */
const LOST_AFTER_MS = 60_000

/** Prometheus text for callers with a session, or the token set for scrapers. */
export function metricsHandler(services: ApiServices, limitMs = LIMIT_MS): (request: Request) => Promise<Response> {
  const read = shareReads(() => metricsNow(services))
  const database = () =>
    withTimeout(limitMs, read()).catch((error: unknown) => {
      services.log.error({ err: error }, 'metrics of the database cannot be read')
      return null
    })
  return async (request) => {
    try {
      if (!(await withTimeout(limitMs, isLetIn(request.headers, services)))) {
        const headers = { 'www-authenticate': 'Bearer' }
        return new Response('Send BERTH_METRICS_TOKEN as a bearer token, or sign in.\n', { status: 401, headers })
      }
      const text = await services.metrics.text(await database())
      return new Response(text, {
        headers: { 'content-type': services.metrics.contentType, 'cache-control': 'no-store' },
      })
    } catch (error) {
      services.log.error({ err: error }, 'metrics cannot be read')
      return new Response('The metrics cannot be read right now.\n', { status: 503 })
    }
  }
}

/** Scrapes during a read share it: while the database does not answer they take no further connections. */
function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let running: { readonly began: number; readonly work: Promise<T> } | null = null
  return () => {
    if (running !== null && performance.now() - running.began < LOST_AFTER_MS) return running.work
    const work = read().finally(() => {
      if (running?.work === work) running = null
    })
    running = { began: performance.now(), work }
    return work
  }
}

async function isLetIn(headers: Headers, { auth, metricsToken }: ApiServices): Promise<boolean> {
  const bearer = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined) return metricsToken !== null && isSame(bearer, metricsToken)
  return (await auth.user(headers)) !== null
}

/** Constant time, so that it does not reveal how many characters match. */
function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

async function metricsNow(services: ApiServices): Promise<MetricsNow> {
  const { database, fleet, health, now } = services
  const at = now()
  const active = await readActiveMigrations(database)
  const [rows, audit, notes, healthNow, slow, alarms, clouds] = await Promise.all([
    readMetricRows(database, at),
    readAuditNow(database),
    hostNotes({ database }),
    health.read(),
    slowMigrations(services, active),
    countAlarms(database),
    cloudHealth(services),
  ])
  const hosts = fleet.hosts()
  return {
    claims: claimsBy(hosts),
    hosts: countBy(hosts.map((host) => statusOf(host, notes.get(host.id) ?? NO_NOTES))),
    ended: rows.ended.map(({ operation, word, count }) => ({ operation, outcome: word, count })),
    active: rows.active.map(({ operation, word, count }) => ({ operation, step: word, count })),
    silentHosts: silentHosts(hosts, notes).length,
    slow: {
      ...{ overdue: slow.overdue.length, 'not-converging': slow.notConverging.length },
      blocked: active.filter(isBlocked).length,
    },
    clouds: clouds.map(({ name: cloud, critical: count }) => ({ cloud, severity: 'critical', count })),
    alarms,
    conductorLagMs: rows.lagMs,
    relayBacklog: rows.backlog,
    findings: audit.byKind.map(({ kind, severity, count }) => ({ kind, severity, count })),
    auditAgeMs: audit.at === null ? null : at - audit.at,
    auditTookMs: audit.tookMs,
    health: healthNow,
  }
}

const statusOf = (host: Host, notes: HostNotes): string =>
  contactOf(host, notes) === 'never-answered' ? 'never-answered' : host.status

function claimsBy(hosts: readonly Host[]): MetricsNow['claims'] {
  const counts = countBy(hosts.flatMap((host) => host.holdings.map((holding) => holding.consumerKind)))
  return { instance: counts.instance ?? 0, migration: counts.migration ?? 0 }
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
