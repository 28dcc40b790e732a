import { expect, it } from 'vitest'
import { roleOf } from '../../auth/federation/settings'
import { ROLES } from './roles'

it('groups give the highest of their roles, of those that Berth has', () => {
  const roles = new Map(ROLES.map((role) => [`group of ${role}`, role]))
  const groups = [...roles.keys()]
  for (const [at, role] of ROLES.entries()) expect(roleOf(roles, groups.slice(0, at + 1))).toBe(role)
  expect(roleOf(roles, groups.toReversed())).toBe('admin')
  expect(roleOf(roles, [])).toBeNull()
  expect(roleOf(roles, ['a group without a role'])).toBeNull()
})
