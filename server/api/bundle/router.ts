import type { Host } from '../../engine/host'
import type { HostId, MigrationId } from '../../engine/words/ids'
import { type BundleSubject, readEntries, readRaw } from '../../store/bundle/read'
import { listEvents } from '../../store/event/trail-read'
import { readAuditNow } from '../../store/finding/finding'
import { listFindings } from '../../store/finding/list'
import { readPlansOf } from '../../store/heal/plan'
import { readActiveMigrations, readMigrations, readSteps } from '../../store/migration/list'
import { readSurveys } from '../../store/survey/survey'
import { adviceOnHost, adviceOnMigration } from '../advice/router'
import { hostId, migrationId, object } from '../procedure/inputs'
import { type CallerContext, router, support } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { redacted } from './redact'

// Everything about one migration or one host as one text for support. Secrets are removed last, from everything
// collected.

const EVENTS = 1_000
const ENTRIES = 500
const FINDINGS = 500

export const bundleRouter = router({
  /** Everything about one migration (or host), redacted, as one JSON text to save. */
  create: support
    .input(object({ migration: migrationId.optional(), host: hostId.optional() }))
    .query(async ({ ctx, input }): Promise<{ name: string; text: string }> => {
      const subject = await subjectOf(ctx.services, input)
      const parts = await partsOf(ctx, subject)
      const at = new Date(ctx.services.now()).toISOString()
      const made = { at, by: ctx.caller.username, berth: ctx.services.version, node: process.version }
      const text = JSON.stringify(redacted({ made, subject, ...parts }), null, 1)
      const what = subject.migration ? `migration-${subject.migration.slice(0, 8)}` : `host-${hostName(ctx, subject)}`
      return { name: `berth-${what}-${at.slice(0, 19).replace(/[:T]/g, '')}.json`, text }
    }),
})

interface SubjectInput {
  readonly migration?: MigrationId | undefined
  readonly host?: HostId | undefined
}

async function subjectOf(services: ApiServices, { migration, host }: SubjectInput): Promise<BundleSubject> {
  if (migration !== undefined) {
    const [found] = await readMigrations(services.database, [migration])
    if (!found) return refuseUnknown('migration', migration)
    const { source, target, instance } = found.migration
    const hosts = [source, target].filter((each): each is HostId => each !== null)
    return { hosts: [...new Set(hosts)], instance, migration }
  }
  if (host === undefined) {
    const need = 'expected a migration or a host'
    refuse('bad-input', { need, have: 'input', what: 'Create a support bundle' })
  }
  return { hosts: [services.fleet.host(host)?.id ?? refuseUnknown('host', host)], instance: null, migration: null }
}

const hostName = ({ services }: CallerContext, { hosts: [id] }: BundleSubject) =>
  (id && services.fleet.host(id)?.name) ?? 'unknown'

/** The adviser's present result. */
async function adviceOn({ services, caller }: CallerContext, { migration, hosts: [id] }: BundleSubject) {
  const [found] = migration ? await readMigrations(services.database, [migration]) : []
  if (found) return adviceOnMigration(services, found.migration, caller)
  const host = id && services.fleet.host(id)
  return host ? adviceOnHost(services, host, caller) : null
}

async function partsOf(ctx: CallerContext, subject: BundleSubject) {
  const { services } = ctx
  const { database, fleet } = services
  const { hosts, instance, migration } = subject
  const about = migration ? { instance: instance ?? undefined } : { host: hosts[0] }
  const page = { offset: 0, limit: FINDINGS }
  const [raw, steps, events, entries, audit, open, closed, surveys, active, advice] = await Promise.all([
    readRaw(database, subject),
    migration ? readSteps(database, [migration]) : [],
    listEvents(database, { ...(migration ? { migration } : { host: hosts[0] }), progress: true, limit: EVENTS }),
    readEntries(database, subject, ENTRIES),
    readAuditNow(database),
    listFindings(database, { ...about, ...page }),
    listFindings(database, { ...about, ...page, closed: true }),
    readSurveys(database, hosts),
    readActiveMigrations(database),
    adviceOn(ctx, subject),
  ])
  const heals = await readPlansOf(
    database,
    [...open.rows, ...closed.rows].map(({ id }) => id),
  )
  const inMemory = hosts.flatMap((id) => fleet.host(id) ?? [])
  return {
    ...{ raw, steps, events, entries, audit, heals, advice },
    findings: { open: open.rows, closed: closed.rows },
    claims: inMemory.map((host) => claimsOf(host, instance)),
    surveys: surveys.map(({ guests: domains, ...rest }) => ({ ...rest, guests: ofInstance(domains, instance) })),
    movesOfTheseHosts: active.filter((each) => hosts.some((id) => id === each.source || id === each.target)),
  }
}

/** The projection's state of the host, with only the holdings that the bundle is about. */
function claimsOf({ holdings, numaNodes, leftovers, ...host }: Host, instance: BundleSubject['instance']) {
  return { host: { ...host, cells: numaNodes, remains: leftovers }, holdings: ofInstance(holdings, instance) }
}

function ofInstance<T extends { readonly instance: string }>(
  rows: readonly T[] | null,
  instance: BundleSubject['instance'],
): readonly T[] | null {
  return rows && instance ? rows.filter((row) => row.instance === instance) : rows
}
