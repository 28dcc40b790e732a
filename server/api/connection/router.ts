import { TRPCError } from '@trpc/server'
import { type DaemonAddress, daemonAddress, hostAddition } from '@/forms/connection'
import { reason } from '../procedure/inputs'
import { admin, attributionOf, type CallerContext, router } from '../procedure/procedure'
import { type RefusalContext, refuse } from '../refusal/refused'
import type { AddHostResult, ConnectionFiles, ProbeReport } from './connections'

// Adds a real host: probes and previews it over a read-only connection, then adds exactly what was previewed.

const PROBE = { what: 'Probe the host', notChanged: 'Nothing was changed.' }

export const connectionRouter = router({
  files: admin.everywhere.query(({ ctx }): Promise<ConnectionFiles> => ctx.services.connections.files()),

  /** Reports step by step. A client that disconnects ends it. */
  probe: admin.everywhere
    .input(daemonAddress)
    .mutation(async ({ ctx, input, signal }): Promise<AsyncIterable<ProbeReport>> => {
      await refuseForbidden(ctx, input, PROBE)
      const reports = ctx.services.connections.probe(input, signal)
      if (reports !== null) return reports
      throw new TRPCError({ code: 'TOO_MANY_REQUESTS', message: 'Too many hosts are being probed at the same time.' })
    }),

  /** Reads the host again, and refuses when it differs from the preview. */
  add: admin.everywhere
    .input(hostAddition.extend({ reason }))
    .mutation(async ({ ctx, input: { reason, ...addition } }): Promise<{ host: string }> => {
      const { connections, fleet, audit, log } = ctx.services
      const about = { what: `Add the host ${addition.name}`, where: addition.name, notChanged: 'Nothing was changed.' }
      await refuseForbidden(ctx, addition.address, about)
      const host = addedOrRefuse(await connections.add(addition, attributionOf(ctx, reason)), about)
      await fleet.aheadAt(host, null)
      // Starts a survey of what runs there, without waiting for it.
      audit
        .survey([host])
        .catch((error: unknown) => log.warn({ error, host }, 'a host that was added was not surveyed'))
      return { host }
    }),
})

async function refuseForbidden(ctx: CallerContext, address: DaemonAddress, about: RefusalContext): Promise<void> {
  const why = await ctx.services.connections.refusalOf(address)
  if (why === null) return
  const next = 'Choose a file that the form offers, or have its folder added to LIBVIRT_PATHS.'
  refuse('bad-input', { ...about, need: 'expected a file that connections may use', have: why, next })
}

function addedOrRefuse(answer: AddHostResult, about: RefusalContext) {
  switch (answer.did) {
    case 'added':
      return answer.host
    case 'unread': {
      const { says, next } = answer.failed
      const refused = { ...about, need: 'a host that answers', have: says ?? 'it does not answer' }
      return refuse('not-permitted', { ...refused, next: next ?? 'Probe it again.' })
    }
    case 'changed': {
      const have = 'a different host'
      const next = 'Probe it again and read the new preview.'
      return refuse('changed-meanwhile', { ...about, need: 'the host as it was previewed', have, next })
    }
    case 'refused':
      return refuse('not-permitted', { ...about, need: answer.need, have: answer.have, next: answer.next })
    default:
      return answer satisfies never
  }
}
