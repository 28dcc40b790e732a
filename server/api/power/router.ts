import { z } from 'zod'
import { POWER_ACTIONS } from '../../engine/power/request'
import { ranHere } from '../../engine/power/returned'
import type { HostId } from '../../engine/words/ids'
import { readHost } from '../../store/host/read'
import { readHostsThatResume, readStoppedInstances } from '../../store/power/stopped-instances'
import { settingChange } from '../host/memory'
import type { Ref } from '../names/names'
import { type Permit, permitOn, touchedHost } from '../permit/rights'
import { commitWithRetry } from '../procedure/commit'
import { hostId, instanceId, instanceName, line, object, oneOf, reason } from '../procedure/inputs'
import { attributionOf, operator, router, viewer } from '../procedure/procedure'
import { refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { adoptDomain, type LeftoverView, leftoverView, removeLeftover } from './leftover'
import { type PowerResult, requestAll } from './request'

/** Instances that ran until their host went down, and have been off since. */
export interface ReturnedView {
  readonly instances: readonly Ref[]
  readonly permit: Permit
  /** Starts them automatically once the host is back. */
  readonly byItself: boolean
  readonly rulePermit: Permit
}

const MAX_INSTANCES = 200

const ids = z
  .array(instanceId, { error: 'expected a list of instances' })
  .min(1, 'expected at least one instance')
  .max(MAX_INSTANCES, `expected at most ${MAX_INSTANCES} instances`)
const powerInput = object({
  ids,
  action: oneOf(POWER_ACTIONS),
  hard: z.boolean({ error: 'expected true or false' }).optional(),
  reason: reason.optional(),
})
const ofHost = object({ host: hostId, reason: reason.optional() })

export const powerRouter = router({
  /** Start, stop, reboot, pause or resume: accepted immediately, performed by the conductor. */
  request: operator
    .on(powerInput, ({ ids }) => ids.map((id) => ({ of: 'instance', id })))
    .mutation(({ ctx, input }): Promise<readonly PowerResult[]> => requestAll(ctx, input)),

  /** Instances that ran on a host before it went down. */
  returned: viewer.input(object({ host: hostId })).query(async ({ ctx, input }): Promise<ReturnedView> => {
    const { services, caller } = ctx
    const host = services.fleet.host(input.host) ?? refuseUnknown('host', input.host)
    const [instances, resuming] = await Promise.all([
      ranBefore(services, host.id),
      readHostsThatResume(services.database),
    ])
    const mine = permitOn(caller, 'operate', [touchedHost(host)])
    const why = host.status !== 'up' ? `${host.name} is ${host.status}.` : NOT_CLEANED[host.scheduling]
    const permit: Permit = !mine.ok || why === undefined ? mine : { ok: false, why }
    return {
      instances: instances.map(({ instance: { id, name } }) => ({ id, name })),
      permit,
      byItself: resuming.has(host.id),
      rulePermit: mine,
    }
  }),

  startReturned: operator
    .on(ofHost, ({ host }) => [{ of: 'host', id: host }])
    .mutation(async ({ ctx, input }): Promise<readonly PowerResult[]> => {
      const { services } = ctx
      const host = services.fleet.host(input.host) ?? refuseUnknown('host', input.host)
      const instances = await ranBefore(services, host.id)
      const why = input.reason ?? `${host.name} is back: start instances that ran there before`
      return requestAll(ctx, {
        ids: instances.map(({ instance }) => instance.id),
        action: 'start',
        reason: why,
        only: ranHere,
      })
    }),

  leftover: viewer
    .input(object({ host: hostId, instance: instanceId }))
    .query(({ ctx, input }): Promise<LeftoverView> => leftoverView(ctx, input)),

  /** The conductor destroys it there. Refused unless it is proven that this is not the last copy. */
  removeLeftover: operator
    .on(object({ host: hostId, instance: instanceId, reason }), ({ host }) => [{ of: 'host', id: host }])
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => removeLeftover(ctx, input)),

  adopt: operator
    .on(
      object({
        ...{ host: hostId, instance: instanceId, name: instanceName, project: line('a project', 64) },
        ...{ flavor: line('the name of a flavor'), image: line('the name of an image'), reason: reason.optional() },
      }),
      ({ host }) => [{ of: 'host', id: host }],
    )
    .mutation(({ ctx, input }): Promise<{ instance: string }> => adoptDomain(ctx, input)),

  /** Whether the instances that ran there before are started automatically. */
  setRule: operator
    .on(
      object({ host: hostId, on: z.boolean({ error: 'expected true or false' }), reason: reason.optional() }),
      ({ host }) => [{ of: 'host', id: host }],
    )
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
      const { services } = ctx
      return commitWithRetry(services, async () => {
        const host = (await readHost(services.database, input.host)) ?? refuseUnknown('host', input.host)
        const attribution = attributionOf(ctx, input.reason)
        return {
          change: settingChange(host, { kind: 'host.rule', set: { resumesGuests: input.on }, ...attribution }),
          about: { what: `Change what ${host.name} starts after a power cycle`, where: host.name },
          answer: { acceptedAt: attribution.at },
        }
      })
    }),
})

const NOT_CLEANED: Readonly<Record<string, string>> = { quarantined: 'The host is quarantined until it is cleaned up.' }

const ranBefore = async ({ database }: ApiServices, host: HostId) =>
  (await readStoppedInstances(database, host)).filter(ranHere)
