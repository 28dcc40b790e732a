import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GRANTED_ROLES, type Grant, grantText, parseGrant, SCOPE_KINDS } from '../../auth/grant'
import { denialReason, mayAll, type PermitTarget, type Rights } from './rights'
import { CAPABILITIES, type Capability, ROLES, type Role } from './roles'

const names = fc.constantFrom('a', 'b', 'c')
const grant: fc.Arbitrary<Grant> = fc.record({
  role: fc.constantFrom(...GRANTED_ROLES),
  scope: fc.record({ kind: fc.constantFrom(...SCOPE_KINDS), name: names }),
})
const rights: fc.Arbitrary<Rights> = fc.record({
  role: fc.constantFrom(...ROLES),
  grants: fc.array(grant, { maxLength: 4 }),
})
const touched: fc.Arbitrary<PermitTarget> = fc.oneof(
  fc.record({ kind: fc.constant('host' as const), name: names, zone: fc.option(names) }),
  fc.record({ kind: fc.constantFrom('zone' as const, 'cloud' as const, 'fleet' as const), name: names }),
)
const capability = fc.constantFrom(...(Object.keys(CAPABILITIES) as Capability[]))

/** Expected results by hand: the highest role on each object, and the lowest of these. */
function naive({ role, grants }: Rights, needed: Capability, things: readonly PermitTarget[]): boolean {
  const rank = (name: Role) => ROLES.indexOf(name)
  const least = Math.min(...CAPABILITIES[needed].map(rank))
  const onThing = (thing: PermitTarget) => {
    const mine = grants.filter(({ scope }) => {
      if (thing.kind === 'host')
        return scope.kind === 'host' ? scope.name === thing.name : scope.kind === 'zone' && scope.name === thing.zone
      return thing.kind !== 'fleet' && scope.kind === thing.kind && scope.name === thing.name
    })
    return Math.max(rank(role), ...mine.map((each) => rank(each.role)))
  }
  return Math.min(things.length === 0 ? rank(role) : ROLES.length, ...things.map(onThing)) >= least
}

test('a write is judged by the highest role on each object that it touches', () => {
  fc.assert(
    fc.property(rights, capability, fc.array(touched, { maxLength: 4 }), (mine, needed, things) => {
      expect(mayAll(mine, needed, things)).toBe(naive(mine, needed, things))
    }),
    { numRuns: 2_000 },
  )
})

test('a grant parses back from its text', () => {
  fc.assert(
    fc.property(grant, (each) => {
      expect(parseGrant(grantText(each))).toEqual(each)
    }),
  )
})

test.each([
  'operator',
  'operator@az1',
  'viewer@zone:az1',
  'operator@zone:',
  'operator@zone: az1',
  'operator@rack:7',
  'operator@zone:a\nadmin@zone:b',
  `operator@zone:${'x'.repeat(201)}`,
])('%j is no grant', (text) => {
  expect(parseGrant(text)).toBeNull()
})

describe('the reason of a refusal', () => {
  const holder: Rights = { role: 'viewer', grants: [{ role: 'operator', scope: { kind: 'zone', name: 'az1' } }] }

  test.each<[rights: Rights, capability: Capability, touched: readonly PermitTarget[], says: string]>([
    [{ role: 'viewer', grants: [] }, 'operate', [], 'Your role is viewer; this needs operator.'],
    [holder, 'configure', [], 'Your role is viewer; this needs admin.'],
    [holder, 'operate', [], 'Your role operator applies to zone az1; this needs operator everywhere.'],
    [
      holder,
      'operate',
      [
        { kind: 'host', name: 'h1', zone: 'az1' },
        { kind: 'host', name: 'h2', zone: 'az2' },
      ],
      'Your role operator applies to zone az1; h2 is in zone az2.',
    ],
    [
      holder,
      'operate',
      [{ kind: 'host', name: 'h3', zone: null }],
      'Your role operator applies to zone az1; h3 is in no zone.',
    ],
    [
      holder,
      'operate',
      [{ kind: 'fleet', name: 'a plan over all hosts' }],
      'Your role operator applies to zone az1; a plan over all hosts needs it everywhere.',
    ],
  ])('%j %s %j', (mine, needed, things, says) => {
    expect(denialReason(mine, needed, things)).toBe(says)
  })
})
