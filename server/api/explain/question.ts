import { sameDemand } from '../../engine/claim'
import { type Demand, demandOf, type Flavor, type Image } from '../../engine/demand'
import type { ClaimBody, Host } from '../../engine/host'
import { type AcceptContext, accept, type InstanceSpec } from '../../engine/migration/accept'
import { operationRow } from '../../engine/migration/operations'
import { type MigrationQuestion, questionOf } from '../../engine/migration/question'
import type { Operation } from '../../engine/migration/state'
import type { StorageMode } from '../../engine/storage/storage'
import { type GroupId, type InstanceId, parseMigrationId } from '../../engine/words/ids'
import { readGroup, readInstanceView } from '../../store/migration/view'
import { findBoth, findFlavor, findImage } from '../catalog/lookup'
import { type SilentHosts, silentHosts } from '../host/fleet-now'
import { buildQuestion, newInstanceId, parsed } from '../instance/build'
import type { Permit, Rights } from '../permit/rights'
import { sentenceOf } from '../refusal/refusals'
import { RefusalError, refuseUnknown } from '../refusal/refused'
import type { ApiServices, MigrationRules } from '../services'

// The demand of a migration or build, made as the conductor makes it, for evaluation on many hosts.

export interface ExplainRequest {
  readonly permit: Permit
  readonly question: MigrationQuestion
  readonly hosts: readonly Host[]
  readonly rules: MigrationRules
  readonly silentHosts: SilentHosts
  /** The instance's present claim and host; null for a build. */
  readonly now: { readonly host: Host; readonly body: ClaimBody } | null
  /** A rebuild with an unchanged demand keeps its claim, so its own host is not checked. */
  readonly keepsClaim: boolean
  readonly spec: InstanceSpec
  /** The demand with another flavor; null when it contradicts itself. */
  readonly demandOf: (flavor: Flavor) => Demand | null
  /** The user whose scope limits the scheduler: hosts outside of it refuse. Undefined: no limit. */
  readonly rights?: Rights | undefined
  /** Aborted when the client no longer waits for the answer. */
  readonly signal?: AbortSignal | undefined
}

export interface MigrationSubject {
  readonly instance: InstanceId
  readonly operation: Operation
  readonly flavor?: string | undefined
  /** In place of a flavor of the list. */
  readonly shape?: Flavor | undefined
  readonly image?: string | undefined
  /** For a live migration; default auto. */
  readonly storage?: StorageMode | undefined
  readonly rights?: Rights | undefined
}

export async function requestForMigration(services: ApiServices, subject: MigrationSubject): Promise<ExplainRequest> {
  const { database, fleet } = services
  const view = (await readInstanceView(database, subject.instance)) ?? refuseUnknown('instance', subject.instance)
  const { instance } = view
  const [rules, silent, newFlavor, newImage, group] = await Promise.all([
    services.rules(),
    silentHosts(services),
    subject.shape ?? (subject.flavor === undefined ? null : findFlavor(services, subject.flavor)),
    subject.image === undefined ? null : findImage(services, subject.image),
    instance.group === null ? null : readGroup(database, { group: instance.group, without: instance.id }),
  ])
  const spec = { flavor: newFlavor ?? instance.flavor, image: newImage ?? instance.image }
  const about = { what: `Explain ${subject.operation} for ${instance.name}`, where: instance.name }
  const options = { ...rules.demand, zone: instance.zone }
  const demand = demandFor(spec, options)
  if (!demand.ok) throw new RefusalError(demand.refusals, about)
  const row = operationRow(subject.operation)
  const source = row.source === 'none' ? null : (instance.host && fleet.host(instance.host)) || view.host
  const { operation, storage } = subject
  const result = questionOf({ operation, instance, source, demand: demand.demand, group, storage })
  if (!result.ok) throw new RefusalError([result.refusal], about)
  const holding = source?.holdings.find((each) => each.consumer === instance.id)
  return {
    permit: permitOf(view, subject, { newFlavor, newImage, services }),
    question: result.question,
    hosts: row.target === 'same-place' ? (source ? [source] : []) : fleet.hosts(),
    ...{ rules, silentHosts: silent, rights: subject.rights },
    now: source && holding ? { host: source, body: holding.body } : null,
    keepsClaim: row.target === 'same-place' && sameRoom(instance, spec, rules),
    ...{ spec, demandOf: demandIn(spec.image, options) },
  }
}

const demandFor = ({ flavor, image }: InstanceSpec, options: MigrationRules['demand']) =>
  demandOf(flavor, image, options)

const demandIn = (image: Image, options: MigrationRules['demand']) => (flavor: Flavor) => {
  const answer = demandOf(flavor, image, options)
  return answer.ok ? answer.demand : null
}

/** Whether two flavor and image pairs demand the same resources: compared by demand, not by name. */
export function sameRoom(old: InstanceSpec, now: InstanceSpec, rules: MigrationRules): boolean {
  const [a, b] = [demandFor(old, rules.demand), demandFor(now, rules.demand)]
  return a.ok && b.ok && sameDemand(a.demand, b.demand)
}

interface PermitParts {
  readonly newFlavor: Flavor | null
  readonly newImage: Image | null
  readonly services: ApiServices
}

/** Whether the migration could be accepted at all, whatever the host: the check of its start, without the start. */
function permitOf(
  context: AcceptContext,
  { operation, storage }: MigrationSubject,
  { newFlavor, newImage, services }: PermitParts,
): Permit {
  const accepted = accept(
    context,
    { operation, target: null, newFlavor, newImage, storage: storage ?? null },
    {
      id: parsed(parseMigrationId(services.newId())),
      sameDemand: () => false,
      confirmWindowMs: null,
      actor: { who: '', request: null, reason: null },
      at: services.now(),
    },
  )
  if (accepted.ok) return { ok: true }
  return { ok: false, why: accepted.refusals.map(sentenceOf).join(' ') }
}

export interface BuildSubject {
  readonly flavor: string
  readonly image: string
  readonly zone?: string | undefined
  readonly group?: GroupId | undefined
  readonly rights?: Rights | undefined
}

export async function requestForBuild(services: ApiServices, subject: BuildSubject): Promise<ExplainRequest> {
  return requestForShape(services, { ...subject, ...(await findBoth(services, subject)) })
}

export interface ShapeSubject extends Pick<BuildSubject, 'zone' | 'group' | 'rights'> {
  readonly flavor: Flavor
  readonly image: Image
}

/** A build of any shape, of the list or not. */
export async function requestForShape(services: ApiServices, subject: ShapeSubject): Promise<ExplainRequest> {
  const { flavor, image, zone, group, rights } = subject
  const [rules, silent] = await Promise.all([services.rules(), silentHosts(services)])
  const instance = newInstanceId(services)
  const { question } = await buildQuestion(services, { flavor, image, rules, zone, group, instance })
  return {
    ...{
      permit: { ok: true },
      question,
      hosts: services.fleet.hosts(),
      rules,
      silentHosts: silent,
      now: null,
      keepsClaim: false,
    },
    ...{ spec: { flavor, image }, rights, demandOf: demandIn(image, { ...rules.demand, zone: zone ?? null }) },
  }
}
