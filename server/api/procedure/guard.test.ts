import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { CAPABILITIES, type Capability, leastRoleFor, may, ROLES } from '../permit/roles'
import { appRouter } from '../router'
import { type Api, openTestApi } from '../testing/api'
import { RIGHT_SCOPES } from '../user/rights'
import type { ProcedureMeta, ProcedureScope } from './procedure'

// No procedure works without a session or beyond the caller's role. The test covers every procedure, including new
// ones.

interface Procedure {
  readonly path: string
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly capability: Capability | undefined
  readonly scope: ProcedureScope | undefined
}

const procedures: Procedure[] = Object.entries(appRouter._def.procedures).map(([path, procedure]) => {
  const { type, meta } = (procedure as never as { _def: { type: Procedure['type']; meta?: ProcedureMeta } })._def
  return { path, type, capability: meta?.capability, scope: meta?.scope }
})

const api = onFreshDatabase(openTestApi)

function call(caller: Api, path: string, input?: unknown): Promise<unknown> {
  const procedure = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], caller)
  return (procedure as (input: unknown) => Promise<unknown>)(input)
}

const codeOf = (caller: Api, path: string, input?: unknown) =>
  call(caller, path, input).then(
    () => 'LET IN',
    (error: { code?: string }) => error.code,
  )

test('every procedure names its capability', () => {
  expect(procedures.length).toBeGreaterThan(25)
  expect(procedures.filter(({ capability }) => capability === undefined)).toEqual([])
})

/** For each kind, where the role must hold. A write outside of any part of the fleet declares so. */
const SCOPES: { readonly [T in Procedure['type']]: readonly (ProcedureScope | undefined)[] } = {
  query: ['anywhere', 'everywhere'],
  subscription: ['anywhere'],
  mutation: ['touched', 'everywhere', 'own'],
}

test('every procedure names the scope in which the role must hold', () => {
  expect(procedures.filter(({ type, scope }) => !SCOPES[type].includes(scope))).toEqual([])
  expect(procedures.filter(({ scope, capability }) => (scope === 'own') !== (capability === 'self'))).toEqual([])
})

test('the page of roles shows for each capability the scopes of its procedures', () => {
  for (const capability of Object.keys(CAPABILITIES) as Capability[]) {
    const scopes = new Set(procedures.flatMap((each) => (each.capability === capability ? (each.scope ?? []) : [])))
    if (scopes.size === 0) continue
    const some = scopes.has('touched') && scopes.has('everywhere')
    const scopeKind = some ? 'some' : scopes.has('touched') ? 'parts' : scopes.has('everywhere') ? 'everywhere' : 'any'
    expect({ capability, scopeKind: RIGHT_SCOPES[capability] }).toEqual({ capability, scopeKind })
  }
})

test('a role in a part of the fleet calls no procedure that concerns the whole', async () => {
  const holder = api.holder('viewer', 'admin@zone:az1', 'admin@cloud:west', 'admin@host:h1')
  for (const { path, scope } of procedures) {
    // Invalid input fails at the schema, and no later.
    const code = await codeOf(holder, path, 7)
    if (scope === 'everywhere') expect(code, path).toBe('FORBIDDEN')
    else expect(code, path).not.toBe('FORBIDDEN')
  }
})

/** Writes outside of the records: the user's own sessions and saved views, and proposals that await approval. */
const OUTSIDE_THE_RECORDS: readonly (Capability | undefined)[] = ['self', 'propose']

test('no role below operator changes the fleet', () => {
  const open = procedures.filter(({ type, capability }) => type === 'mutation' && may('support', capability!))
  expect(open.filter(({ capability }) => !OUTSIDE_THE_RECORDS.includes(capability))).toEqual([])
  const toViewers = open.filter(({ capability }) => may('viewer', capability!))
  expect(toViewers.map(({ path }) => path)).toEqual([
    'session.end',
    'session.removePasskey',
    'view.save',
    'view.remove',
  ])
})

describe.each(procedures)('$path', ({ path, capability }) => {
  test('needs a session', async () => {
    expect(await codeOf(api.signedOut(), path)).toBe('UNAUTHORIZED')
  })

  test(`needs the capability ${capability}`, async () => {
    for (const role of ROLES) {
      const code = await codeOf(api.as(role), path)
      if (may(role, capability!)) expect(code, role).not.toBe('FORBIDDEN')
      else expect(code, role).toBe('FORBIDDEN')
    }
  })
})

test('every capability has a role, and a higher role never loses one', () => {
  for (const capability of Object.keys(CAPABILITIES) as Capability[]) {
    const least = ROLES.indexOf(leastRoleFor(capability))
    expect(ROLES.filter((role) => may(role, capability))).toEqual(ROLES.slice(least))
  }
})
