import type { Client } from '../../../engine/words/owner'
import type { Database } from '../../../store/database/database'
import { isRole, may } from '../../permit/roles'
import { knownTokens } from '../../token/known'
import { Problem } from '../problem'
import type { Call } from '../wire'

// Identifies the caller and its rights. By default a program sends a Berth API token; `noauth2` trusts the headers and
// is for tests on one machine. keystone-caller.ts validates tokens with Keystone.

export type Right = 'read' | 'write' | 'reshape' | 'usages'

export interface Caller {
  /** For the audit log. */
  readonly name: string
  /** The project that owns its consumers. */
  readonly owner: Client
  /** `project`: the one whose usages are requested, with the right `usages`. */
  may(right: Right, project: string | null): boolean
}

/** Null: unauthenticated. Called once per request. */
export type Identify = (call: Call) => Promise<Caller | null>

/** The RBAC profiles of the original: default requires an admin, secure the new roles, open any caller. */
export const PROFILES = ['default', 'secure', 'open'] as const
export type Profile = (typeof PROFILES)[number]

export const TOKEN_HEADER = 'x-auth-token'

/** By Berth's own tokens. */
export function byToken(database: Database, monotonicMs: () => number): Identify {
  const find = knownTokens(database, monotonicMs)
  return async (call) => {
    const token = call.header(TOKEN_HEADER)
    const row = token ? await find(token) : null
    if (!row || !isRole(row.role)) return null
    const { name, role, project } = row
    return {
      name: `token ${name}`,
      owner: { kind: 'token', id: row.id, name },
      may: (right, asked) => {
        if (right === 'usages') return may(role, 'read') || (project !== '' && project === asked)
        return may(role, right === 'read' ? 'read' : 'operate')
      },
    }
  }
}

/** Trusts the headers: a token `user` or `user:project`, and `X-Roles`. */
export function byNoauth(profile: Profile): Identify {
  return async (call) => {
    const token = call.header(TOKEN_HEADER)
    if (token === null) return null
    const colon = token.indexOf(':')
    const user = colon < 0 ? token : token.slice(0, colon)
    const ownProject = colon < 0 ? '' : token.slice(colon + 1)
    const header = call.header('x-roles')
    const roles = header !== null ? header.split(',') : user === 'admin' ? ['admin'] : []
    const isSystem = Boolean(call.header('openstack-system-scope'))
    const project = isSystem ? null : call.header('x-project-id') || ownProject || user
    const owner = { kind: 'noauth', id: user, name: user } as const
    return { name: user, owner, may: (right, asked) => allowed({ profile, roles, project }, right, asked) }
  }
}

/** Identity and roles of a token. */
export interface Claims {
  readonly profile: Profile
  readonly roles: readonly string[]
  /** Null in the scope of the whole system. */
  readonly project: string | null
}

export function allowed({ profile, roles, project }: Claims, right: Right, asked: string | null): boolean {
  if (profile === 'open') return true
  if (project === null) return false
  // Keystone's role names are compared without case, and lists of them may be written with blanks.
  const has = (wanted: string) => roles.some((role) => role.trim().toLowerCase() === wanted)
  if (profile === 'default') return has('admin')
  if (right === 'reshape') return has('service')
  if (right === 'usages' && has('reader') && project === asked) return true
  return has('admin') || has('service')
}

export function demand(caller: Caller, { right, action, project }: Demand): void {
  if (!caller.may(right, project)) throw new Problem(403, `Policy does not allow ${action} to be performed.`)
}

export interface Demand {
  readonly right: Right
  /** The original's name of the rule. */
  readonly action: string
  readonly project: string | null
}
