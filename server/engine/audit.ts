import { BOOK_CHECKS } from './audit/book-checks'
import type { Books, DemandFor, Finding, Held, Report, Snapshot } from './audit/finding'
import { guestChecks } from './audit/guest-checks'
import { HOST_CHECKS } from './audit/host-checks'
import { claimsAreAsDemanded, type ShapeProblems, shapeProblems } from './audit/shape-check'
import { sharedChecks } from './audit/shared-check'
import type { Instance } from './books'
import type { ClaimBody, Host } from './host'
import type { Migration } from './migration/state'
import type { ConsumerId, InstanceId } from './words/ids'

// The invariants, each one function, in the tables of `audit/`. They hold in tests, in the simulation after every
// micro-step, in the survey and on the heal page. The audit must be able to read books that are wrong: whatever it
// meets becomes a finding, never a crash.

export type { DemandFor, Finding, FindingKind, SeenGroup, SeenGuest, SeenLease, Snapshot } from './audit/finding'
export { FINDING_KINDS } from './audit/finding'

export type Auditor = (snapshot: Snapshot) => readonly Finding[]

/** Everything that is wrong, in a fixed order; empty when the books are right. */
export function audit(snapshot: Snapshot, demandFor: DemandFor): readonly Finding[] {
  return newAuditor(demandFor)(snapshot)
}

/**
 * An auditor for many snapshots of one world. Hosts, claims, flavors and images are frozen values, so it remembers
 * its judgement of each value by identity; a snapshot is still judged whole, and what changed is judged anew.
 *
 * `demandFor` says what a claim must look like: `demandOf` with the fleet's aliases and classes, null when refused.
 */
export function newAuditor(demandFor: DemandFor): Auditor {
  const judgeHost = remembered(hostFindings)
  const problemsOf = shapeMemory(demandFor)
  return (snapshot) => {
    const findings: Finding[] = []
    const report: Report = (finding) => findings.push({ ...BLANK, ...finding })
    for (const host of snapshot.hosts) findings.push(...judgeHost(host))
    const books = booksOf(snapshot)
    for (const check of BOOK_LIST) check(books, report)
    claimsAreAsDemanded(books, report, problemsOf)
    if (snapshot.guests) guestChecks(books, report)
    return findings
  }
}

const HOST_LIST = Object.values(HOST_CHECKS)
const BOOK_LIST = [...Object.values(BOOK_CHECKS), sharedChecks]

const BLANK = { host: null, instance: null, migration: null, consumers: [], claims: [], where: {} } as const

function hostFindings(host: Host): readonly Finding[] {
  const findings: Finding[] = []
  const report: Report = (finding) => findings.push({ ...BLANK, host: host.id, ...finding })
  for (const check of HOST_LIST) check(host, report)
  return findings
}

function remembered<K extends object, V>(judge: (value: K) => V): (value: K) => V {
  const known = new WeakMap<K, V>()
  return (value) => {
    let verdict = known.get(value)
    if (verdict === undefined) {
      verdict = judge(value)
      known.set(value, verdict)
    }
    return verdict
  }
}

type Shape = Pick<Instance, 'flavor' | 'image'>

function shapeMemory(demandFor: DemandFor): ShapeProblems {
  const demands = remembered((flavor: Shape['flavor']) =>
    remembered((image: Shape['image']) => demandFor({ flavor, image })),
  )
  const problems = remembered((body: ClaimBody) =>
    remembered((flavor: Shape['flavor']) =>
      remembered((image: Shape['image']) => {
        const demand = demands(flavor)(image)
        return demand === null ? [] : shapeProblems(demand, body)
      }),
    ),
  )
  return (body, of) => problems(body)(of.flavor)(of.image)
}

function booksOf(snapshot: Snapshot): Books {
  const activeOf = new Map<InstanceId, Migration>()
  for (const migration of snapshot.migrations) {
    if (migration.step !== 'ended' && !activeOf.has(migration.instance)) activeOf.set(migration.instance, migration)
  }
  const heldBy = new Map<ConsumerId, Held[]>()
  for (const host of snapshot.hosts) {
    for (const holding of host.holdings) {
      const held = heldBy.get(holding.consumer)
      if (held === undefined) heldBy.set(holding.consumer, [{ host, holding }])
      else held.push({ host, holding })
    }
  }
  return {
    snapshot,
    hosts: byId(snapshot.hosts),
    instances: byId(snapshot.instances),
    migrations: byId(snapshot.migrations),
    activeOf,
    heldBy,
  }
}

function byId<T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<T['id'], T> {
  const map = new Map<T['id'], T>()
  for (const row of rows) map.set(row.id, row)
  return map
}
