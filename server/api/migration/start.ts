import { decide } from '../../engine/claim'
import { demandOf, type Flavor, type Image } from '../../engine/demand'
import type { Host } from '../../engine/host'
import { accept } from '../../engine/migration/accept'
import { operationRow } from '../../engine/migration/operations'
import { questionOf } from '../../engine/migration/question'
import { type HostId, parseMigrationId } from '../../engine/words/ids'
import type { Refusal } from '../../engine/words/refusal'
import { readHost } from '../../store/host/read'
import { type HostAt, type InstanceWithHost, readGroup, readInstanceKnown } from '../../store/migration/view'
import { findFlavor, findImage } from '../catalog/lookup'
import { type MigrationSubject, requestForMigration, sameRoom } from '../explain/question'
import { evaluateHosts } from '../explain/verdicts'
import { noHostReason, outsideOf, parsed } from '../instance/build'
import { may } from '../permit/roles'
import { commitWithRetry } from '../procedure/commit'
import { actorOf, type CallerContext } from '../procedure/procedure'
import { type RefusalContext, RefusalError, refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices, MigrationRules } from '../services'
import { type TransferEstimateView, transferEstimateOf } from './transfer-estimate'

// Starting a migration writes one row and returns. Whether it fits on the named host is checked first all the same: the
// user should see a full host now, not as a failed migration.

export interface MigrationInput extends Omit<MigrationSubject, 'shape' | 'rights'> {
  readonly host?: HostId | undefined
  readonly reason?: string | undefined
}

export async function startMigration(ctx: CallerContext, input: MigrationInput): Promise<{ migration: string }> {
  const { services } = ctx
  const [rules, newFlavor, newImage] = await Promise.all([
    services.rules(),
    input.flavor === undefined ? null : findFlavor(services, input.flavor),
    input.image === undefined ? null : findImage(services, input.image),
  ])
  const id = parsed(parseMigrationId(services.newId()))
  return commitWithRetry(services, async () => {
    const hostAt: HostAt = (host, generation) => services.fleet.aheadAt(host, generation)
    const current = await readInstanceKnown(services.database, input.instance, hostAt)
    if (!current) return refuseUnknown('instance', input.instance)
    const { name } = current.instance
    const about = {
      what: `Start ${input.operation} for ${name}`,
      where: name,
      notChanged: 'No migration was started; nothing was claimed.',
    }
    const chosen = input.host ?? (await chosenWithin(ctx, input, about))
    const request = {
      operation: input.operation,
      target: chosen,
      newFlavor,
      newImage,
      storage: input.storage ?? null,
    }
    const accepted = accept(current, request, {
      id,
      sameDemand: (old, now) => sameRoom(old, now, rules),
      confirmWindowMs: rules.confirmWindowMs,
      actor: actorOf(ctx, input.reason),
      at: services.now(),
    })
    if (!accepted.ok) throw new RefusalError(accepted.refusals, about)
    if (input.host !== undefined && !accepted.migration.keepsClaim) {
      const host = (await readHost(services.database, input.host)) ?? refuseUnknown('host', input.host)
      const refusals = await refusalsOf(services, { current, host, input, rules, newFlavor, newImage })
      if (refusals.length > 0)
        throw new RefusalError(refusals, { ...about, what: `${about.what} to ${host.name}`, where: host.name })
    }
    const estimate =
      input.operation === 'live-migrate'
        ? await estimateFor(services, { ...input, host: chosen ?? undefined }, current)
        : null
    const { event } = accepted.change
    const change = { ...accepted.change, event: { ...event, data: { ...event.data, ...(estimate && { estimate }) } } }
    return { change, about, answer: { migration: id } }
  })
}

/**
 * For a user with rights in parts of the fleet only, the host is chosen now, within their scope: the claim is made
 * later, by a conductor that knows no user. Null leaves the choice to it.
 */
async function chosenWithin(
  { services, caller }: CallerContext,
  { instance, operation, flavor, image, storage }: MigrationInput,
  about: RefusalContext,
): Promise<HostId | null> {
  if (may(caller.role, 'operate') || operationRow(operation).target === 'same-place') return null
  const request = await requestForMigration(services, { instance, operation, flavor, image, storage, rights: caller })
  const all = evaluateHosts(request)
  const first = all.find(({ rank }) => rank === 1)
  if (first) return first.host.id
  const have = noHostReason(
    all.flatMap(({ reasons }) => reasons),
    outsideOf(caller, request.hosts),
  )
  return refuse('no-host', { ...about, need: 'a host', have })
}

/** Estimates for the requested host, otherwise for the scheduler's present choice. */
async function estimateFor(
  services: ApiServices,
  { host, instance, storage }: MigrationInput,
  { host: source }: InstanceWithHost,
): Promise<TransferEstimateView | null> {
  if (host !== undefined) return transferEstimateOf(services, { instance, target: host })
  // Simulated fleets have no estimate, and ranking a whole fleet takes time.
  if (source === null || (await services.transfers.policyTo(source.id)) === null) return null
  const [first] = evaluateHosts(await requestForMigration(services, { instance, operation: 'live-migrate', storage }))
  return first?.rank === 1 ? transferEstimateOf(services, { instance, target: first.host.id }) : null
}

interface HostCheck {
  readonly current: InstanceWithHost
  readonly host: Host
  readonly input: MigrationInput
  readonly rules: MigrationRules
  readonly newFlavor: Flavor | null
  readonly newImage: Image | null
}

async function refusalsOf(
  { database }: ApiServices,
  { current, host, input, rules, newFlavor, newImage }: HostCheck,
): Promise<readonly Refusal[]> {
  const { instance } = current
  const wanted = { flavor: newFlavor ?? instance.flavor, image: newImage ?? instance.image }
  const demand = demandOf(wanted.flavor, wanted.image, { ...rules.demand, zone: instance.zone })
  if (!demand.ok) return demand.refusals
  const group =
    instance.group === null ? null : await readGroup(database, { group: instance.group, without: instance.id })
  const source = operationRow(input.operation).source === 'none' ? null : current.host
  const { operation, storage } = input
  const result = questionOf({ operation, instance, source, demand: demand.demand, group, storage })
  if (!result.ok) return [result.refusal]
  const verdict = decide({ ...result.question, host })
  return verdict.ok ? [] : verdict.refusals
}
