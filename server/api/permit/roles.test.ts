import { expect, it } from 'vitest'
import { grantsOf, roleOf } from '../../auth/federation/settings'
import { ROLES } from './roles'

it('groups give the highest of their roles that Berth knows', () => {
  const roles = new Map(ROLES.map((role) => [`group of ${role}`, role]))
  const groups = [...roles.keys()]
  for (const [at, role] of ROLES.entries()) expect(roleOf(roles, groups.slice(0, at + 1))).toBe(role)
  expect(roleOf(roles, groups.toReversed())).toBe('admin')
  expect(roleOf(roles, [])).toBeNull()
  expect(roleOf(roles, ['a group without a role'])).toBeNull()
})

it('groups with roles in parts of the fleet give a user who can view all of it', () => {
  const roles = new Map([
    ['night', 'support@zone:az1'],
    ['az1', 'operator@zone:az1'],
    ['west', 'operator@cloud:west'],
  ])
  expect(roleOf(roles, ['az1'])).toBe('viewer')
  expect(grantsOf(roles, ['night', 'az1', 'west', 'none'])).toEqual(['operator@cloud:west', 'operator@zone:az1'])
  expect(grantsOf(roles, ['none'])).toEqual([])
})
