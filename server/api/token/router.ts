import { randomBytes, randomUUID } from 'node:crypto'
import { createToken, listTokens, revokeToken, type TokenLine } from '../../store/placement/token'
import { findByUsername } from '../../store/user/user'
import { ROLES, type Role } from '../permit/roles'
import type { Ms } from '../plain'
import { object, oneOf, reason } from '../procedure/inputs'

import { actorOf, admin, attributionOf, type CallerContext, router } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import { grants, refuseUnknownScopes } from '../user/grants'
import { existingTokenName, tokenAccount, tokenDays, tokenName, tokenProject } from './limits'

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
  /** The username of the account that the token acts for; null: none. */
  readonly account: string | null
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

const newToken = object({
  ...{ name: tokenName, role: oneOf(ROLES), grants: grants.default([]), project: tokenProject.default(''), reason },
  days: tokenDays.nullable(),
  account: tokenAccount.optional(),
})

export const tokenRouter = router({
  list: admin.everywhere.query(async ({ ctx }): Promise<readonly TokenView[]> => {
    return (await listTokens(ctx.services.database)).map(tokenView)
  }),

  /** `token` is returned only once. */
  create: admin.everywhere.input(newToken).mutation(async ({ ctx, input }): Promise<{ id: string; token: string }> => {
    const { database, now } = ctx.services
    const { days, reason, account: username, ...rest } = input
    await refuseUnknownScopes(ctx.services, input.grants)
    const account = await accountOf(ctx, username)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const id = randomUUID()
    const at = now()
    const expiresAt = days === null ? null : new Date(at + days * DAY_MS)
    const made = { id, ...rest, token, account, expiresAt }
    const isKept = await createToken(database, { ...made, actor: actorOf(ctx, reason), at })
    if (isKept) return { id, token }
    const about = { what: `Create the token ${input.name}`, where: input.name }
    const next = 'Choose another name: token names are unique.'
    return refuse('wrong-state', { ...about, need: 'a free name', have: 'a token with this name', next })
  }),

  /** Servers that have cached it accept it for up to five more seconds. */
  revoke: admin.everywhere
    .input(object({ name: existingTokenName, reason }))
    .mutation(async ({ ctx, input }): Promise<{ name: string }> => {
      const { database } = ctx.services
      if (await revokeToken(database, { name: input.name, ...attributionOf(ctx, input.reason) }))
        return { name: input.name }
      return refuseUnknown('valid token', input.name)
    }),
})

/** The account of the caller, unless another one is named. */
async function accountOf({ services, caller }: CallerContext, username: string | undefined): Promise<string | null> {
  if (username === undefined) return caller.account
  const user = await findByUsername(services.database, username)
  return (user ?? refuseUnknown('user', username)).id
}

const tokenView = ({ role, ...line }: TokenLine): TokenView => ({
  ...line,
  role: role as Role, // a constraint of the database allows no other value
})
