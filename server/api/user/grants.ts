import { z } from 'zod'
import { GRANTS_MAX, grantText, parseGrant, SCOPE_KINDS, type ScopeKind, scopeText } from '../../auth/grant'
import { readClouds } from '../../store/cloud/cloud'
import { refuse } from '../refusal/refused'
import type { ApiServices } from '../services'

// Roles in parts of the fleet, as users and programs write them, and the parts that exist.

const EXPECTED =
  'expected a role and a part of the fleet, such as operator@zone:az1, support@host:h-07 or admin@cloud:west'

const grant = z
  .string({ error: EXPECTED })
  .max(250, EXPECTED)
  .transform((text, ctx): string => {
    const parsed = parseGrant(text)
    if (parsed !== null) return grantText(parsed)
    ctx.issues.push({ code: 'custom', message: EXPECTED, input: text })
    return z.NEVER
  })

/** The part of the fleet of a text that was read as a grant before: `zone:az1`. */
function scopeIn(text: string): string {
  const parsed = parseGrant(text)
  return parsed === null ? text : scopeText(parsed.scope)
}

/** At most one of each part of the fleet. */
export const grants = z
  .array(grant, { error: 'expected a list of grants' })
  .max(GRANTS_MAX, `expected at most ${GRANTS_MAX} grants`)
  .refine(
    (list) => new Set(list.map(scopeIn)).size === list.length,
    'expected at most one role in each part of the fleet',
  )

/** Parts of the fleet that a role can be granted in. */
export type ScopesView = Readonly<Record<ScopeKind, readonly string[]>>

export async function scopesView({ database, fleet }: Pick<ApiServices, 'database' | 'fleet'>): Promise<ScopesView> {
  const hosts = fleet.hosts()
  const zones = new Set(hosts.flatMap(({ zone }) => zone ?? []))
  const clouds = await readClouds(database)
  return {
    zone: [...zones].sort(),
    host: hosts.map(({ name }) => name).sort(),
    cloud: clouds.map(({ name }) => name).sort(),
  }
}

/** A misspelt name would silently grant nothing. */
export async function refuseUnknownScopes(
  services: Pick<ApiServices, 'database' | 'fleet'>,
  texts: readonly string[],
): Promise<void> {
  if (texts.length === 0) return
  const known = await scopesView(services)
  const all = new Set(SCOPE_KINDS.flatMap((kind) => known[kind].map((name) => scopeText({ kind, name }))))
  const unknown = texts.map(scopeIn).find((scope) => !all.has(scope))
  if (unknown === undefined) return
  const about = { what: 'Grant a role', where: unknown, next: 'Choose an existing zone, host or cloud.' }
  const need = `expected a part of the fleet; there is no ${unknown.replace(':', ' ')}`
  refuse('bad-input', { ...about, need, have: 'grants' })
}
