import type { FindingBody } from '../../audit/auditing'
import type { Advice as EngineAdvice, HealFact, Proof } from '../../engine/advice/advice'
import { hostFactsFrom, migrationFactsFrom } from '../../engine/advice/facts-from'
import { adviseHost } from '../../engine/advice/host-advice'
import { adviseMigration } from '../../engine/advice/migration-advice'
import { kindRow } from '../../engine/audit'
import type { Evidence } from '../../engine/audit/evidence'
import type { Host, HostStatus } from '../../engine/host'
import type { Migration, RequestedAction } from '../../engine/migration/state'
import type { HostId } from '../../engine/words/ids'
import { listFindings } from '../../store/finding/list'
import { readMarkedAt } from '../../store/host/marked-at'
import { readHost } from '../../store/host/read'
import { readMigrations } from '../../store/migration/list'
import { type EvidenceView, evidenceView, type FindingRecord, type Source } from '../finding/view'
import type { Names, Ref } from '../names/names'
import { namesOf } from '../names/read'
import { actionPermits, type HostOf, hostObjection, migrationPlaces } from '../permit/permits'
import { type Permit, type PermitTarget, permitOn, type Rights, touchedHost } from '../permit/rights'
import type { Ms } from '../plain'
import { hostId, migrationId, object } from '../procedure/inputs'
import { router, support } from '../procedure/procedure'
import { refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'

// The possible actions on a stuck migration or a host: the engine's verdict on each action with its proof, and
// whether this person may do it.

export type Verdict = 'safe' | 'attested' | 'unsafe' | 'impossible' | 'unknown'

export type AdvisedAction =
  | RequestedAction
  | 'wait'
  | 'mark-up'
  | 'mark-down'
  | 'mark-fenced'
  | 'mark-lost'
  | 'heal'
  | 'evacuate'

export interface ProofView {
  readonly source: Source | 'person' | 'history'
  readonly host: Ref | null
  readonly says: string
  readonly at: Ms | null
}

export interface Advice {
  readonly action: AdvisedAction
  /** Host whose status the action would change, or that it would empty; omitted for requested actions and repairs. */
  readonly host?: Ref | null
  readonly verdict: Verdict
  /** One sentence: what it would do, or why it is refused. */
  readonly because: string
  readonly proof: readonly ProofView[]
  /** Facts to establish before the action is safe. */
  readonly needs: readonly string[]
  readonly permit: Permit
}

export interface AdviceView {
  readonly subject: { readonly kind: 'migration' | 'host'; readonly id: string; readonly name: string }
  /** Null when nothing is stuck; `since` null when it was so from the beginning, as with a host that never answered. */
  readonly stuck: { readonly why: string; readonly since: Ms | null } | null
  readonly actions: readonly Advice[]
  readonly facts: readonly EvidenceView[]
}

const FINDINGS = 50

export const adviceRouter = router({
  migration: support.input(object({ id: migrationId })).query(async ({ ctx, input }): Promise<AdviceView> => {
    const [found] = await readMigrations(ctx.services.database, [input.id])
    return found ? adviceOnMigration(ctx.services, found.migration, ctx.caller) : refuseUnknown('migration', input.id)
  }),

  host: support.input(object({ id: hostId })).query(async ({ ctx, input }): Promise<AdviceView> => {
    const host = (await readHost(ctx.services.database, input.id)) ?? refuseUnknown('host', input.id)
    return adviceOnHost(ctx.services, host, ctx.caller)
  }),
})

export async function adviceOnMigration(
  services: ApiServices,
  migration: Migration,
  rights: Rights,
): Promise<AdviceView> {
  const hosts = [migration.source, migration.target].filter((host): host is HostId => host !== null)
  const judged = await adviceFacts(services, { instance: migration.instance, hosts })
  // The snapshot lacks migrations that ended long ago.
  const others = judged.snapshot.migrations.filter(({ id }) => id !== migration.id)
  const snapshot = { ...judged.snapshot, migrations: [...others, migration] }
  const facts = migrationFactsFrom(snapshot, migration.id, judged)
  const { stuck, actions } = facts ? adviseMigration(facts) : { stuck: null, actions: [] }
  const names = await namesOf(services, [migration.instance, migration.id])
  const waitsFor = migration.waiting?.for === 'host' ? migration.waiting.host : (hosts[0] ?? null)
  const host = waitsFor === null ? null : await readHost(services.database, waitsFor)
  const touched = migrationPlaces(migration, (id) => services.fleet.host(id))
  const permit = permitsFor({ rights, migration, host, touched, hostOf: (id) => services.fleet.host(id) })
  return {
    subject: { kind: 'migration', id: migration.id, name: names.instance(migration.instance).name },
    stuck,
    actions: actions.map((each) => adviceView(each, names, permit)),
    facts: factsOf(judged.findings, names),
  }
}

export async function adviceOnHost(services: ApiServices, host: Host, rights: Rights): Promise<AdviceView> {
  const { id, name } = host
  const judged = await adviceFacts(services, { instance: null, hosts: [id] })
  const facts = hostFactsFrom(judged.snapshot, id, judged)
  const { stuck, actions } = facts ? adviseHost(facts) : { stuck: null, actions: [] }
  const names = await namesOf(services, [])
  const hostOf = (each: HostId) => services.fleet.host(each)
  const permit = permitsFor({ rights, migration: null, host, touched: [touchedHost(host)], hostOf })
  return {
    subject: { kind: 'host', id, name },
    stuck,
    actions: actions.map((each) => adviceView(each, names, permit)),
    facts: factsOf(judged.findings, names),
  }
}

interface Subject {
  readonly instance: string | null
  readonly hosts: readonly HostId[]
}

async function adviceFacts(services: ApiServices, { instance, hosts }: Subject) {
  const { database, audit } = services
  const about = instance ? { instance } : { host: hosts[0] }
  const [{ snapshot }, { rows: findings }, stated] = await Promise.all([
    audit.memory.read({ hosts }),
    listFindings<FindingBody>(database, { ...about, offset: 0, limit: FINDINGS }),
    readMarkedAt(database, hosts),
  ])
  return { snapshot, findings, heal: healFact(findings), statedAt: (host: HostId) => stated.get(host) ?? null }
}

/** As the last audit saw it: planning a repair is a separate request, made by a click. */
function healFact(findings: readonly FindingRecord[]): HealFact {
  const healable = findings.find(({ body }) => body.instead === null)
  if (healable) return { is: 'planned', title: kindRow(healable.kind).title, locked: healable.body.locked }
  return { is: 'none', why: findings[0]?.body.instead ?? 'The last audit found nothing wrong with its records.' }
}

interface PermitFacts {
  readonly rights: Rights
  readonly migration: Migration | null
  /** The host whose status would be set, as the mutation itself will read it. */
  readonly host: Host | null
  readonly touched: readonly PermitTarget[]
  readonly hostOf: HostOf
}

function permitsFor({ rights, migration, host, touched, hostOf }: PermitFacts): (action: AdvisedAction) => Permit {
  return (action) => {
    switch (action) {
      case 'wait':
        return { ok: true }
      case 'heal':
        return permitOn(rights, 'propose', touched)
      case 'evacuate':
        return permitOn(rights, 'operate', touched)
      case 'mark-up':
      case 'mark-down':
      case 'mark-fenced':
      case 'mark-lost': {
        const why = host && hostObjection({ ...host, kind: null }, action.slice('mark-'.length) as HostStatus)
        return why ? { ok: false, why } : permitOn(rights, 'propose', host ? [touchedHost(host)] : touched)
      }
      default:
        return migration
          ? actionPermits(migration, { rights, host: hostOf })[action]
          : { ok: false, why: 'This applies to migrations only.' }
    }
  }
}

function adviceView(each: EngineAdvice, names: Names, permit: (action: AdvisedAction) => Permit): Advice {
  const { action, verdict, because, proof, needs } = each
  const may = permit(action)
  return {
    ...{ action, verdict, because, needs },
    proof: proof.map((one) => proofView(one, names)),
    // A button must not offer an action that the text beside it calls impossible.
    permit: may.ok && verdict === 'impossible' ? { ok: false, why: because } : may,
  }
}

const proofView = ({ source, host, says, at }: Proof, names: Names): ProofView => ({
  ...{ source, says, at },
  host: host === null ? null : names.host(host),
})

/** The evidence of these findings, without repetition. */
function factsOf(findings: readonly FindingRecord[], names: Names) {
  const once = new Map<string, Evidence>()
  for (const each of findings.flatMap(({ body }) => body.evidence)) {
    once.set(`${each.source} ${each.host} ${each.says}`, each)
  }
  return [...once.values()].map((each) => evidenceView(each, names))
}
