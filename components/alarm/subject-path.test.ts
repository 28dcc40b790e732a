import { expect, test } from 'vitest'
import type { AlarmView } from '@/server/api/alarm/router'
import { subjectPath } from './subject-path'

test.each<[AlarmView['kind'], string, string | null]>([
  ['host-down', 'h-1', '/hosts/h-1/evacuate'],
  ['host-silent', 'h-1', '/hosts/h-1?tab=adviser'],
  ['finding-critical', 'unit-held-twice', '/heal?q=kind%3Aunit-held-twice'],
  ['cloud-finding-critical', 'c-1', '/clouds/c-1?tab=findings'],
  ['migration-not-converging', 'm-1', '/migrations/m-1?tab=transfer'],
  ['audit-late', 'audit', '/heal'],
  ['clock-wrong', 'clock', null],
])('an alarm of the kind %s about %s links to %s', (kind, subject, path) => {
  expect(subjectPath({ kind, subject })).toBe(path)
})

test('an alarm of a kind that this console does not know has no link', () => {
  expect(subjectPath({ kind: 'of-a-newer-server' as AlarmView['kind'], subject: 'x' })).toBeNull()
})
