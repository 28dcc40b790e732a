import { demandOf } from '../../engine/demand'
import {
  adoptionRefusals,
  adoptLeftover,
  type Leftover,
  removalRefusals,
  requestRemoval,
} from '../../engine/power/leftover'
import { type PowerState, powerOfState } from '../../engine/power/state'
import { type HostId, type InstanceId, parseClaimId } from '../../engine/words/ids'
import type { Refusal } from '../../engine/words/refusal'
import { readHost } from '../../store/host/read'
import { wasDeleted } from '../../store/instance/deleted'
import { readInstanceView } from '../../store/migration/view'
import { readSurveys } from '../../store/survey/survey'
import { findBoth } from '../catalog/lookup'
import { type BuildRequest, parsed } from '../instance/build'
import { type Permit, permitOn, touchedHost } from '../permit/rights'
import { commitWithRetry } from '../procedure/commit'
import { actorOf, attributionOf, type CallerContext } from '../procedure/procedure'
import { sentenceOf } from '../refusal/refusals'
import { RefusalError, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'

// The two actions on a domain that a host reports and no record expects there.

/** A domain that a host reports and no record expects there. */
export interface LeftoverView {
  /** The name under which the records know it elsewhere; null: they do not know it. */
  readonly known: string | null
  readonly power: { readonly state: PowerState; readonly reason: string | null } | null
  readonly remove: Permit
  readonly adopt: Permit
}

export interface AdoptInput extends Pick<BuildRequest, 'name' | 'project' | 'flavor' | 'image'> {
  readonly host: string
  readonly instance: string
  readonly reason?: string
}

interface LeftoverRef {
  readonly host: HostId
  readonly instance: InstanceId
}

export async function leftoverView(ctx: CallerContext, at: LeftoverRef): Promise<LeftoverView> {
  const leftover = await leftoverAt(ctx.services, at)
  const mine = permitOn(ctx.caller, 'operate', [touchedHost(leftover.host)])
  const permit = ([first]: readonly Refusal[]): Permit =>
    !mine.ok || first === undefined ? mine : { ok: false, why: sentenceOf(first) }
  return {
    known: leftover.row?.name ?? null,
    power: leftover.observed?.power ?? null,
    remove: permit(removalRefusals(leftover)),
    adopt: permit(adoptionRefusals(leftover)),
  }
}

export function removeLeftover(ctx: CallerContext, ask: LeftoverRef & { readonly reason: string }) {
  const { services } = ctx
  return commitWithRetry(services, async () => {
    const leftover = await leftoverAt(services, ask)
    const about = {
      what: `Remove ${leftover.row?.name ?? ask.instance} from ${leftover.host.name}`,
      where: leftover.host.name,
      notChanged: 'Nothing was removed.',
    }
    const refusals = removalRefusals(leftover)
    if (refusals.length > 0) throw new RefusalError(refusals, about)
    const at = services.now()
    const change = requestRemoval(leftover, { actor: actorOf(ctx, ask.reason), at })
    return { change, about, answer: { acceptedAt: at } }
  })
}

export async function adoptDomain(ctx: CallerContext, ask: AdoptInput & LeftoverRef): Promise<{ instance: string }> {
  const { services } = ctx
  const [{ flavor, image }, rules] = await Promise.all([findBoth(services, ask), services.rules()])
  const claim = parsed(parseClaimId(services.newId()))
  return commitWithRetry(services, async () => {
    const leftover = await leftoverAt(services, ask)
    const about = {
      what: `Adopt ${ask.name} on ${leftover.host.name}`,
      where: leftover.host.name,
      notChanged: 'Nothing was claimed and no instance was created.',
    }
    const demand = demandOf(flavor, image, { ...rules.demand, zone: null })
    if (!demand.ok) throw new RefusalError(demand.refusals, about)
    const adoption = { name: ask.name, project: ask.project, flavor, image, claim, demand: demand.demand }
    const adopted = adoptLeftover(leftover, adoption, attributionOf(ctx, ask.reason))
    if (!adopted.ok) throw new RefusalError(adopted.refusals, about)
    return { change: adopted.change, about, answer: { instance: ask.instance } }
  })
}

/** The present state, from fresh rows and the host's last answer. */
async function leftoverAt({ database }: ApiServices, { host: id, instance }: LeftoverRef): Promise<Leftover> {
  const [host, view, [survey], deleted] = await Promise.all([
    readHost(database, id),
    readInstanceView(database, instance),
    readSurveys(database, [id]),
    wasDeleted(database, instance),
  ])
  if (host === null) return refuseUnknown('host', id)
  const domain = survey?.answered ? survey.guests?.find((each) => each.instance === instance) : undefined
  return {
    ...{ host, instance, deleted },
    observed: domain ? { power: domain.power ?? powerOfState(domain.observedState), body: domain.claim } : null,
    row: view?.instance ?? null,
    activeMigration: view?.activeMigration ?? null,
  }
}
