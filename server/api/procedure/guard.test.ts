import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { CAPABILITIES, type Capability, leastRoleFor, may, ROLES } from '../permit/roles'
import { appRouter } from '../router'
import { type Api, openTestApi } from '../testing/api'

// Nobody gets in without a session, and nobody does what their role may not: told of every procedure there is, so that
// a new one is held to it from its first day.

interface Procedure {
  readonly path: string
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly capability: Capability | undefined
}

const procedures: Procedure[] = Object.entries(appRouter._def.procedures).map(([path, procedure]) => {
  const { type, meta } = (
    procedure as never as { _def: { type: Procedure['type']; meta?: { capability: Capability } } }
  )._def
  return { path, type, capability: meta?.capability }
})

const api = onFreshDatabase(openTestApi)

function call(caller: Api, path: string, input?: unknown): Promise<unknown> {
  const procedure = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], caller)
  return (procedure as (input: unknown) => Promise<unknown>)(input)
}

const codeOf = (caller: Api, path: string) =>
  call(caller, path).then(
    () => 'LET IN',
    (error: { code?: string }) => error.code,
  )

test('there are procedures to walk, and each names its capability', () => {
  expect(procedures.length).toBeGreaterThan(25)
  expect(procedures.filter(({ capability }) => capability === undefined)).toEqual([])
})

/** What is written beside the records: one's own sessions and saved views, and what waits for somebody else's yes. */
const BESIDE_THE_BOOKS: readonly (Capability | undefined)[] = ['keep', 'propose']

test('what changes the fleet is never open to those who only look', () => {
  const open = procedures.filter(({ type, capability }) => type === 'mutation' && may('support', capability!))
  expect(open.filter(({ capability }) => !BESIDE_THE_BOOKS.includes(capability))).toEqual([])
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
    expect(await codeOf(api.stranger(), path)).toBe('UNAUTHORIZED')
  })

  test(`needs ${capability}`, async () => {
    for (const role of ROLES) {
      const code = await codeOf(api.as(role), path)
      if (may(role, capability!)) expect(code, role).not.toBe('FORBIDDEN')
      else expect(code, role).toBe('FORBIDDEN')
    }
  })
})

test('every capability is somebody’s, and more power never takes one away', () => {
  for (const capability of Object.keys(CAPABILITIES) as Capability[]) {
    const least = ROLES.indexOf(leastRoleFor(capability))
    expect(ROLES.filter((role) => may(role, capability))).toEqual(ROLES.slice(least))
  }
})
