import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createToken, listTokens, revokeToken, type TokenLine } from '../../store/placement/token'
import { ROLES, type Role } from '../permit/roles'
import type { Ms } from '../plain'
import { object, oneOf, reason, wholeNumber } from '../procedure/inputs'

import { actorOf, admin, attributionOf, router } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import { grants, refuseUnknownScopes } from '../user/grants'

// Tokens of programs: shown once, kept as a hash, revoked by an admin.

export interface TokenView {
  readonly id: string
  readonly name: string
  /** Everywhere. */
  readonly role: Role
  /** Higher roles in parts of the fleet, such as `operator@zone:az1`. */
  readonly grants: readonly string[]
  /** The project whose usages a token with a low role may request; empty: none. */
  readonly project: string
  /** Null: its row has no valid time. */
  readonly createdAt: Ms | null
  /** Null: it does not expire. */
  readonly expiresAt: Ms | null
  readonly revokedAt: Ms | null
  readonly state: TokenLine['state']
}

/** With 256 bits. */
const TOKEN_BYTES = 32
const DAY_MS = 86_400_000
const DAYS_MAX = 3_650

const name = z
  .string({ error: 'expected a name' })
  .regex(/^[a-z0-9][a-z0-9_.-]{1,59}$/, 'expected 2 to 60 lower-case letters, digits, dots, dashes and underscores')
const project = z.string({ error: 'expected a project' }).max(255, 'expected a project of at most 255 characters')
const newToken = object({
  ...{ name, role: oneOf(ROLES), grants: grants.default([]), project: project.default(''), reason },
  days: wholeNumber('days until it expires', 1, DAYS_MAX).nullable(),
})

export const tokenRouter = router({
  list: admin.everywhere.query(async ({ ctx }): Promise<readonly TokenView[]> => {
    return (await listTokens(ctx.services.database)).map(tokenView)
  }),

  /** `token` is returned only once. */
  create: admin.everywhere.input(newToken).mutation(async ({ ctx, input }): Promise<{ id: string; token: string }> => {
    const { database, now } = ctx.services
    const { days, reason, ...rest } = input
    await refuseUnknownScopes(ctx.services, input.grants)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const id = randomUUID()
    const at = now()
    const expiresAt = days === null ? null : new Date(at + days * DAY_MS)
    const isKept = await createToken(database, { id, ...rest, token, expiresAt, actor: actorOf(ctx, reason), at })
    if (isKept) return { id, token }
    const about = { what: `Create the token ${input.name}`, where: input.name }
    const next = 'Choose another name: token names are unique.'
    return refuse('wrong-state', { ...about, need: 'a free name', have: 'a token with this name', next })
  }),

  /** Servers that have cached it accept it for up to five more seconds. */
  revoke: admin.everywhere
    .input(object({ name, reason }))
    .mutation(async ({ ctx, input }): Promise<{ name: string }> => {
      const { database } = ctx.services
      if (await revokeToken(database, { name: input.name, ...attributionOf(ctx, input.reason) }))
        return { name: input.name }
      return refuseUnknown('valid token', input.name)
    }),
})

const tokenView = ({ role, ...line }: TokenLine): TokenView => ({
  ...line,
  role: role as Role, // a constraint of the database allows no other value
})
