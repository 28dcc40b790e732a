import { decide } from '../../engine/claim'
import { demandOf, type Flavor, type Image } from '../../engine/demand'
import type { Host } from '../../engine/host'
import { accept } from '../../engine/migration/begin'
import { operationRow } from '../../engine/migration/operations'
import { questionOf } from '../../engine/migration/question'
import { type HostId, parseMigrationId } from '../../engine/words/ids'
import type { Refusal } from '../../engine/words/refusal'
import { readHost } from '../../store/host/read'
import { type HostAt, type InstanceWithHost, readGroup, readInstanceKnown } from '../../store/migration/view'
import { findFlavor, findImage } from '../catalog/lookup'
import { type MoveSubject, requestForMigration, sameRoom } from '../explain/question'
import { judged } from '../explain/verdicts'
import { outsideOf, parsed, whyNone } from '../instance/build'
import { may } from '../permit/roles'
import { commitWithRetry } from '../procedure/commit'
import { actorOf, type CallerContext } from '../procedure/procedure'
import { RefusalError, type RefusedAbout, refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices, MoveRules } from '../services'
import { type TransferEstimateView, transferEstimateOf } from './transfer-estimate'

// Starting a migration writes one row and returns. Whether it fits on the named host is checked first all the same: the
// user should see a full host now, not as a failed migration.

export interface MoveInput extends Omit<MoveSubject, 'shape' | 'rights'> {
  readonly host?: HostId | undefined
  readonly reason?: string | undefined
}

export async function startMove(ctx: CallerContext, ask: MoveInput): Promise<{ migration: string }> {
  const { services } = ctx
  const [rules, newFlavor, newImage] = await Promise.all([
    services.rules(),
    ask.flavor === undefined ? null : findFlavor(services, ask.flavor),
    ask.image === undefined ? null : findImage(services, ask.image),
  ])
  const id = parsed(parseMigrationId(services.newId()))
  return commitWithRetry(services, async () => {
    const hostAt: HostAt = (host, generation) => services.fleet.aheadAt(host, generation)
    const books = await readInstanceKnown(services.database, ask.instance, hostAt)
    if (!books) return refuseUnknown('instance', ask.instance)
    const { name } = books.instance
    const about = {
      what: `Start a ${ask.operation} of ${name}`,
      where: name,
      notChanged: 'No migration was started; nothing was claimed.',
    }
    const chosen = ask.host ?? (await chosenWithin(ctx, ask, about))
    const request = {
      operation: ask.operation,
      target: chosen,
      newFlavor,
      newImage,
      storage: ask.storage ?? null,
    }
    const accepted = accept(books, request, {
      id,
      sameDemand: (old, now) => sameRoom(old, now, rules),
      confirmWindowMs: rules.confirmWindowMs,
      actor: actorOf(ctx, ask.reason),
      at: services.now(),
    })
    if (!accepted.ok) throw new RefusalError(accepted.refusals, about)
    if (ask.host !== undefined && !accepted.migration.keepsClaim) {
      const host = (await readHost(services.database, ask.host)) ?? refuseUnknown('host', ask.host)
      const refusals = await refusalsOf(services, { books, host, ask, rules, newFlavor, newImage })
      if (refusals.length > 0)
        throw new RefusalError(refusals, { ...about, what: `${about.what} to ${host.name}`, where: host.name })
    }
    const estimate =
      ask.operation === 'live-migrate'
        ? await estimateFor(services, { ...ask, host: chosen ?? undefined }, books)
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
  { instance, operation, flavor, image, storage }: MoveInput,
  about: RefusedAbout,
): Promise<HostId | null> {
  if (may(caller.role, 'steer') || operationRow(operation).target === 'same-place') return null
  const asked = await requestForMigration(services, { instance, operation, flavor, image, storage, rights: caller })
  const all = judged(asked)
  const first = all.find(({ rank }) => rank === 1)
  if (first) return first.host.id
  const have = whyNone(
    all.flatMap(({ reasons }) => reasons),
    outsideOf(caller, asked.hosts),
  )
  return refuse('no-host', { ...about, need: 'a host', have })
}

/** To the named host, otherwise to the one that the scheduler would choose now. */
async function estimateFor(
  services: ApiServices,
  { host, instance, storage }: MoveInput,
  { host: source }: InstanceWithHost,
): Promise<TransferEstimateView | null> {
  if (host !== undefined) return transferEstimateOf(services, { instance, target: host })
  // Simulated fleets have no estimate, and ranking a whole fleet takes time.
  if (source === null || (await services.transfers.policyTo(source.id)) === null) return null
  const [first] = judged(await requestForMigration(services, { instance, operation: 'live-migrate', storage }))
  return first?.rank === 1 ? transferEstimateOf(services, { instance, target: first.host.id }) : null
}

interface HostCheck {
  readonly books: InstanceWithHost
  readonly host: Host
  readonly ask: MoveInput
  readonly rules: MoveRules
  readonly newFlavor: Flavor | null
  readonly newImage: Image | null
}

async function refusalsOf(
  { database }: ApiServices,
  { books, host, ask, rules, newFlavor, newImage }: HostCheck,
): Promise<readonly Refusal[]> {
  const { instance } = books
  const wanted = { flavor: newFlavor ?? instance.flavor, image: newImage ?? instance.image }
  const demand = demandOf(wanted.flavor, wanted.image, { ...rules.demand, zone: instance.zone })
  if (!demand.ok) return demand.refusals
  const group =
    instance.group === null ? null : await readGroup(database, { group: instance.group, without: instance.id })
  const source = operationRow(ask.operation).source === 'none' ? null : books.host
  const { operation, storage } = ask
  const asked = questionOf({ operation, instance, source, demand: demand.demand, group, storage })
  if (!asked.ok) return [asked.refusal]
  const verdict = decide({ ...asked.question, host })
  return verdict.ok ? [] : verdict.refusals
}
