import { decide } from '../../engine/claim'
import { demandOf, type Flavor, type Group, type Image } from '../../engine/demand'
import type { Host } from '../../engine/host'
import { startBuild } from '../../engine/lifecycle'
import type { MigrationQuestion } from '../../engine/migration/question'
import { choose } from '../../engine/scheduler'
import {
  type ClaimId,
  type GroupId,
  type HostId,
  type InstanceId,
  parseClaimId,
  parseInstanceId,
} from '../../engine/words/ids'
import type { Refusal, RefusalKind } from '../../engine/words/refusal'
import { REFUSAL_TITLES } from '../../engine/words/refusal-titles'
import { readHost } from '../../store/host/read'
import { readGroup } from '../../store/migration/view'
import { findBoth } from '../catalog/lookup'
import { silentHosts, silentLast } from '../host/fleet-now'
import { isOutside, listed, type Rights } from '../permit/rights'
import { commitWithRetry } from '../procedure/commit'
import { attributionOf, type CallerContext } from '../procedure/procedure'
import { RefusalError, refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices, MigrationRules } from '../services'

// A build claims within the request: it is one decision and one commit, and the caller learns immediately when nothing
// fits. The conductor creates the domain.

export interface BuildRequest {
  readonly name: string
  readonly project: string
  readonly flavor: string
  readonly image: string
  readonly host?: HostId | undefined
  readonly zone?: string | undefined
  readonly group?: GroupId | undefined
}

/** Number of ranked hosts that are checked on fresh rows before "no host" is reported. */
const MAX_CHECKED_HOSTS = 20

export async function buildInstance(ctx: CallerContext, ask: BuildRequest): Promise<{ instance: string }> {
  const { services } = ctx
  const about = {
    what: `Build ${ask.name}`,
    where: ask.name,
    notChanged: 'Nothing was claimed and no instance was created.',
  }
  const { flavor, image } = await findBoth(services, ask)
  const rules = await services.rules()
  const id = newInstanceId(services)
  return commitWithRetry(services, async () => {
    const { question } = await buildQuestion(services, { ...ask, flavor, image, rules, instance: id })
    const { plan } = await placeOn(services, { question, requestedHost: ask.host, rules, about, rights: ctx.caller })
    const row = {
      ...{ id, flavor, image, name: ask.name, project: ask.project },
      ...{ zone: ask.zone ?? null, group: ask.group ?? null },
    }
    const attribution = attributionOf(ctx)
    return { change: startBuild(row, { id: newClaimId(services), plan }, attribution), about, answer: { instance: id } }
  })
}

export interface BuildSubject {
  readonly flavor: Flavor
  readonly image: Image
  readonly zone?: string | undefined
  readonly group?: GroupId | undefined
  readonly instance: InstanceId
  readonly rules: MigrationRules
}

export async function buildQuestion(
  services: ApiServices,
  subject: BuildSubject,
): Promise<{ question: MigrationQuestion }> {
  const { flavor, image, rules, zone = null, instance } = subject
  const result = demandOf(flavor, image, { ...rules.demand, zone })
  if (!result.ok)
    throw new RefusalError(result.refusals, {
      what: `Read flavor ${flavor.name} and image ${image.name}`,
      where: flavor.name,
    })
  const group = subject.group === undefined ? null : await groupOr404(services, subject.group, instance)
  return { question: { demand: result.demand, instance, group, live: null, excludedHost: null } }
}

async function groupOr404({ database }: ApiServices, group: GroupId, without: InstanceId): Promise<Group> {
  return (await readGroup(database, { group, without })) ?? refuseUnknown('group', group)
}

interface SchedulingRequest {
  readonly question: MigrationQuestion
  readonly requestedHost: HostId | undefined
  readonly rules: MigrationRules
  readonly about: { readonly what: string; readonly where: string }
  readonly rights: Rights
}

/** Ranked on the snapshots, planned on fresh rows: a stale snapshot costs another try, never a wrong claim. */
async function placeOn(services: ApiServices, { question, requestedHost, rules, about, rights }: SchedulingRequest) {
  const fresh = (id: HostId) => readHost(services.database, id)
  if (requestedHost !== undefined)
    return planOn((await fresh(requestedHost)) ?? refuseUnknown('host', requestedHost), question, about)
  const all = services.fleet.hosts()
  const hosts = all.filter((host) => !isOutside(rights, 'operate', host))
  const ranking = { policy: rules.policy }
  const { plans } = choose({ ...question, verdictOnly: true }, hosts, ranking)
  for (const { host } of silentLast(plans, await silentHosts(services)).slice(0, MAX_CHECKED_HOSTS)) {
    const now = await fresh(host.id)
    const verdict = now && decide({ ...question, host: now })
    if (verdict?.ok) return verdict
  }
  const { refusals } = choose(question, hosts, ranking)
  const reasons = refusals.flatMap((each) => each.refusals)
  const have = noHostReason(reasons, outsideOf(rights, all))
  return refuse('no-host', { ...about, need: 'a host', have })
}

function planOn(host: Host, question: MigrationQuestion, about: SchedulingRequest['about']) {
  const verdict = decide({ ...question, host })
  if (!verdict.ok) throw new RefusalError(verdict.refusals, { ...about, where: host.name })
  return verdict
}

/**
 * The rules that refused most hosts, and hosts that were not checked: `wrong zone on 3; h-4, h-5 are outside of your scope`.
 */
export function noHostReason(refusals: readonly Refusal[], outside: readonly string[]): string {
  const counts = new Map<RefusalKind, number>()
  for (const { kind } of refusals) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 4)
  const rules = most.map(([kind, count]) => `${REFUSAL_TITLES[kind]} on ${count}`).join(', ')
  return [rules, outsideText(outside)].filter((text) => text !== '').join('; ') || 'there are no hosts'
}

/** Names of hosts that the scheduler must not choose for them. */
export const outsideOf = (rights: Rights, hosts: readonly Host[]): readonly string[] =>
  hosts.filter((host) => isOutside(rights, 'operate', host)).map(({ name }) => name)

const NAMED = 5

const outsideText = (names: readonly string[]): string =>
  names.length === 0 ? '' : `${listed(names, ', ', NAMED)} outside of your scope`

export function newInstanceId({ newId }: Pick<ApiServices, 'newId'>): InstanceId {
  return parsed(parseInstanceId(newId()))
}

function newClaimId({ newId }: Pick<ApiServices, 'newId'>): ClaimId {
  return parsed(parseClaimId(newId()))
}

export function parsed<T>(id: T | null): T {
  if (id === null) throw new Error('newId did not answer a uuid')
  return id
}
