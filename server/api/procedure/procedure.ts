import { initTRPC, TRPCError } from '@trpc/server'
import type { z } from 'zod'
import type { SignedInUser } from '../../auth/auth'
import { type Grant, grantsFrom } from '../../auth/grant'
import type { Actor, Attribution, Origin } from '../../engine/change'
import { recordEntry } from '../../store/audit-log/entry'
import { REFUSED } from '../../store/audit-log/list'
import { markFailed, traced } from '../../trace/trace'
import { findUnstorable } from '../http/storable'
import { namedError } from '../names/read'
import { denialReason, maySomewhere } from '../permit/rights'
import { type Capability, isRole, may, type Role } from '../permit/roles'
import { permitTo, type Subject } from '../permit/subjects'
import { errorShown, FormattedError, invalidInput, type ShownError } from '../refusal/errors'
import type { ErrorView } from '../refusal/view'
import type { ApiServices } from '../services'

// The API of the console. Every procedure is made from one of the builders below, from `viewer` to `admin`, and each of
// these checks the roles table first; there is no procedure without a guard. A write declares what its input touches,
// or that it belongs to the fleet as a whole: without that it does not compile.

export interface Context {
  readonly services: ApiServices
  readonly headers: Headers
  readonly requestId: string
  /** The caller; reads the database once per request, however many calls are batched in it. */
  readonly user: () => Promise<SignedInUser | null>
}

export interface Caller extends Omit<SignedInUser, 'grants'> {
  readonly role: Role
  readonly grants: readonly Grant[]
}

/**
 * Where the role must hold: on each object that the input names, everywhere, or anywhere. Reads cover the whole fleet,
 * so a role in a part of it suffices; the user's own settings need none.
 */
export type ProcedureScope = 'touched' | 'everywhere' | 'anywhere' | 'own'

export interface ProcedureMeta {
  readonly capability: Capability
  readonly scope: ProcedureScope
}

// The client treats silence as a dead connection, so a ping must arrive well before it gives up.
const PING_MS = 5_000
const RECONNECT_AFTER_MS = 15_000

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false, // stacks stay in the log
    sse: {
      ping: { enabled: true, intervalMs: PING_MS },
      client: { reconnectAfterInactivityMs: RECONNECT_AFTER_MS },
    },
    errorFormatter: ({ shape, error, ctx }) => {
      const berth: ErrorView = shownIn(error) ?? errorShown(error, ctx?.requestId ?? 'unknown').view
      return { ...shape, data: { ...shape.data, berth } }
    },
  })

export const router = t.router

function shownIn(error: TRPCError): ErrorView | null {
  return error.cause instanceof FormattedError ? error.cause.view : null
}

/** Errors become user messages here, once; faults and bugs are logged with the request id, refusals are counted. */
const edge = t.middleware(async ({ ctx, path, type, next }) => {
  const work = async () => {
    const answer = await next()
    if (!answer.ok) markFailed()
    return answer
  }
  // A stream would be one span that lasts as long as its page is open.
  const result = type === 'subscription' ? await next() : await traced(path, { 'berth.request': ctx.requestId }, work)
  if (result.ok) return result
  const { services, requestId } = ctx
  const shown = errorShown(result.error, requestId)
  if (isForTheLog(shown, type)) await recordRefusal(ctx, path, shown)
  if (shown.kind !== 'refusal') {
    services.log.error({ requestId, path, kind: shown.kind, err: shown.cause }, 'call failed')
  }
  // Names are optional: when they cannot be read, the refusal is sent without them.
  const view = await namedError(services, shown).catch(() => shown.view)
  services.metrics.countError(view)
  throw new TRPCError({ code: shown.code, message: view.what, cause: new FormattedError(view) })
})

/** Records refused writes, and calls that the role forbids, but not input that the schema rejects. */
const isForTheLog = ({ kind, code }: ShownError, type: string): boolean =>
  kind === 'refusal' && (code === 'FORBIDDEN' || (type === 'mutation' && code !== 'BAD_REQUEST'))

/** Only for signed-in users: others must not be able to fill the audit log. */
async function recordRefusal(ctx: Context, procedure: string, { code, view, refusals }: ShownError): Promise<void> {
  const { services, headers, requestId: request } = ctx
  try {
    const person = await ctx.user()
    if (!person) return
    const actor = { who: person.username, request, reason: null, origin: originOf(headers, person) }
    const data = { procedure, code, what: view.what, where: view.where, refusals }
    await recordEntry(services.database.pool, { action: REFUSED, actor, at: services.now(), data })
  } catch (error) {
    services.log.error({ requestId: request, procedure, err: error }, 'a refusal could not be written to the audit log')
  }
}

const guard = t.middleware(async ({ ctx, meta, next }) => {
  if (!meta) throw new Error('This procedure has no capability; make it from viewer, support, operator or admin.')
  const foreign = ctx.services.auth.foreignOrigin(ctx.headers)
  if (foreign !== null) throw new TRPCError({ code: 'FORBIDDEN', message: `This request came from ${foreign}.` })
  const person = await ctx.user()
  if (!person) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in first.' })
  const { role } = person
  const { capability, scope } = meta
  if (!isRole(role)) throw new TRPCError({ code: 'FORBIDDEN', message: `There is no role ${role}.` })
  const caller: Caller = { ...person, role, grants: grantsFrom(person.grants) }
  const isLetIn = scope === 'everywhere' ? may(role, capability) : maySomewhere(caller, capability)
  if (!isLetIn) throw new TRPCError({ code: 'FORBIDDEN', message: denialReason(caller, capability, []) })
  return next({ ctx: { ...ctx, caller } })
})

/** A user has a limited number of calls at a time; others queue. A stream is counted at its start instead. */
const withCallSlot = t.middleware(({ ctx, type, next }) => {
  const { caller, services } = ctx as CallerContext
  return type === 'subscription' ? next() : services.callSlots.withSlot(caller.id, () => next())
})

const notJson = (): never => {
  throw new TRPCError({ code: 'PARSE_ERROR', message: 'The input is not JSON.' })
}

/** Runs before any schema, so that no input contains text that the database cannot store. */
const storable = t.middleware(async ({ getRawInput, next }) => {
  const bad = findUnstorable(await getRawInput().catch(notJson))
  if (bad === null) return next()
  const refusal = { kind: 'bad-input', where: {}, need: bad.why, have: bad.at || 'input' } as const
  throw new TRPCError({ code: 'BAD_REQUEST', cause: invalidInput([refusal]) })
})

/** Relays its writes immediately, even if the call fails in the end, because the caller's screen waits for them. */
const relaysWrites = t.middleware(async ({ ctx, type, next }) => {
  const result = await next()
  if (type === 'mutation') ctx.services.wrote?.()
  return result
})

const guarded = (capability: Capability, scope: ProcedureScope) =>
  t.procedure.meta({ capability, scope }).use(edge).use(guard).use(withCallSlot).use(storable).use(relaysWrites)

/** The objects of a write. */
function writes(capability: Capability) {
  return {
    /** It changes what belongs to the fleet as a whole. */
    everywhere: guarded(capability, 'everywhere'),
    /** The role must hold on everything that the input names. */
    on: <Schema extends z.ZodType>(schema: Schema, subjects: (input: z.output<Schema>) => readonly Subject[]) =>
      guarded(capability, 'touched')
        .input(schema)
        .use(async ({ ctx, input, next }) => {
          await mustBeAbleTo(ctx, capability, subjects(input as z.output<Schema>))
          return next()
        }),
  }
}

export const viewer = guarded('read', 'anywhere')
export const selfService = guarded('self', 'own')
export const support = guarded('investigate', 'anywhere')
export const proposer = writes('propose')
export const operator = writes('operate')
export const automator = writes('automate')
export const settingsAdmin = writes('configure')
export const admin = writes('administer')

/** The context of a guarded procedure. */
export interface CallerContext extends Context {
  readonly caller: Caller
}

/** For a permission that only some inputs need: the same refusal as from a procedure that always needs it. */
export async function mustBeAbleTo(
  { services, caller }: Pick<CallerContext, 'services' | 'caller'>,
  capability: Capability,
  subjects: readonly Subject[],
): Promise<void> {
  const permit = await permitTo(services, { rights: caller, capability }, subjects)
  if (!permit.ok) throw new TRPCError({ code: 'FORBIDDEN', message: permit.why })
}

/** The author of a change, for the audit log (I9). */
export function actorOf(ctx: CallerContext, reason?: string): Actor {
  const { headers, caller, requestId } = ctx
  return { who: caller.username, request: requestId, reason: reason ?? null, origin: originOf(headers, caller) }
}

export const attributionOf = (ctx: CallerContext, reason?: string): Attribution => ({
  actor: actorOf(ctx, reason),
  at: ctx.services.now(),
})

/** Only the front server sets `x-forwarded-for`, to the client's address. */
export const originOf = (
  headers: Headers,
  { role, session, credential }: Pick<SignedInUser, 'role' | 'session' | 'credential'>,
): Origin => ({
  role,
  credential: credential ?? `session ${session}`,
  address: headers.get('x-forwarded-for'),
})
