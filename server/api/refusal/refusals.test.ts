import { TRPCError } from '@trpc/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { instanceId } from '../../engine/testing/hosts'
import type { Refusal, RefusalKind } from '../../engine/words/refusal'
import { namesFrom } from '../names/names'
import { errorShown } from './errors'
import { isFault } from './faults'
import { REFUSALS, sentenceOf } from './refusals'
import { RefusalError } from './refused'
import { refusalView } from './view'

const rows = Object.entries(REFUSALS) as [RefusalKind, (typeof REFUSALS)[RefusalKind]][]

test('codes are stable identifiers, one for each kind', () => {
  const codes = rows.map(([, row]) => row.code)
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of codes) expect(code).toMatch(/^[a-z]+\.[a-z-]+$/)
})

test.each(rows)('%s says what user, operator and support can do next', (_kind, row) => {
  for (const sentence of [row.message, row.user, row.operator, row.support]) {
    expect(sentence).toMatch(/[.]$/)
    expect(sentence.length).toBeLessThan(160)
  }
})

const OF_ANY_NOUN = ['unknown', 'bad-input', 'changed-meanwhile', 'wrong-state', 'not-permitted'] as const

test.each(OF_ANY_NOUN)('%s is refused about many nouns, so its next step names none', (kind) => {
  const { user, operator, support } = REFUSALS[kind]
  for (const sentence of [user, operator, support]) expect(sentence).not.toMatch(/migration|host|instance|timeline/i)
})

// Programs branch on these values; changing a line breaks clients.
test('the published codes', () => {
  expect(rows.map(([kind, row]) => `${kind} ${row.status} ${row.code}`).join('\n')).toMatchSnapshot()
})

const SHORT: Refusal = {
  kind: 'dedicated-cpus',
  where: { hostCell: 0 },
  ...{ need: 4, free: 1, shortBy: 3 },
  heldBy: Array.from({ length: 7 }, (_, n) => instanceId(n)),
}

test('a sentence fills in its numbers and leaves no placeholder', () => {
  expect(sentenceOf(SHORT)).toBe('4 dedicated CPUs needed, 1 free.')
  for (const [kind] of rows) {
    const words = { kind, where: {}, need: 'N', have: 'H', free: 1, shortBy: 1, heldBy: [] } as never as Refusal
    expect(sentenceOf(words), kind).not.toMatch(/[{}]/)
  }
})

test('an evacuation of a host that is up says that it needs fencing, and what moves instances meanwhile', () => {
  const refusal = { kind: 'host-not-fenced', where: { provider: 'h1' }, need: 'fenced or lost', have: 'up' } as const
  expect(sentenceOf(refusal)).toBe('The host is up; an evacuation needs a host that is fenced or lost.')
  const { operator, user } = REFUSALS[refusal.kind]
  expect(operator).toMatch(/live or cold.*mark it as fenced/)
  expect(user).toMatch(/live or cold/)
})

test('a refusal names five holders and counts the rest', () => {
  const hosts = new Map<string, string>()
  const names = namesFrom({ hosts, instances: new Map([[instanceId(0), 'web-1']]), migrations: new Map() })
  const view = refusalView(SHORT, names)
  expect(view).toMatchObject({ need: 4, free: 1, shortBy: 3, unit: 'CPUs', have: null, heldByMore: 2 })
  expect(view.heldBy).toHaveLength(5)
  expect(view.heldBy[0]).toEqual({ kind: 'instance', id: instanceId(0), name: 'web-1' })
})

test('a refusal shows names where it was recorded with ids', () => {
  const hosts = new Map<string, string>([[instanceId(7), 'h-07']])
  const names = namesFrom({ hosts, instances: new Map([[instanceId(1), 'web-1']]), migrations: new Map() })
  const need = `provider ${instanceId(7)} at 4`
  const refusal: Refusal = { kind: 'changed-meanwhile', where: {}, need, have: `held by ${instanceId(1)}` }
  expect(refusalView(refusal, names)).toMatchObject({ need: 'provider h-07 at 4', have: 'held by web-1' })
})

const thrown = (cause: Error) => errorShown(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause }), 'req-1')
const withCode = (code: string, message = 'boom') => Object.assign(new Error(message), { code })

test.each<[title: string, error: Error, kind: string, code: string]>([
  ['a refusal', new RefusalError([SHORT], { what: 'Try', where: 'h1' }), 'refusal', 'CONFLICT'],
  ['bad input', z.string().safeParse(7).error as Error, 'refusal', 'BAD_REQUEST'],
  ['an unreachable database', withCode('ECONNREFUSED'), 'fault', 'SERVICE_UNAVAILABLE'],
  ['a database that shuts down', withCode('57P01'), 'fault', 'SERVICE_UNAVAILABLE'],
  ['a read-only database', withCode('25006'), 'fault', 'SERVICE_UNAVAILABLE'],
  ['a database that never answers', new Error('Query read timeout'), 'fault', 'SERVICE_UNAVAILABLE'],
  [
    'a pool without a free connection',
    new Error('timeout exceeded when trying to connect'),
    'fault',
    'SERVICE_UNAVAILABLE',
  ],
  ['Prisma without a database', withCode('P1001'), 'fault', 'SERVICE_UNAVAILABLE'],
  ['a nested cause', new Error('outer', { cause: withCode('ECONNRESET') }), 'fault', 'SERVICE_UNAVAILABLE'],
  ['a violated constraint', withCode('23505'), 'bug', 'INTERNAL_SERVER_ERROR'],
  ['any other error', new TypeError('secret inside'), 'bug', 'INTERNAL_SERVER_ERROR'],
])('an error is classified: %s', (_title, error, kind, code) => {
  const shown = thrown(error)
  expect({ kind: shown.kind, code: shown.code }).toEqual({ kind, code })
  expect(shown.view).toMatchObject({ requestId: 'req-1', next: expect.any(String), notChanged: expect.any(String) })
  expect(JSON.stringify(shown.view)).not.toContain('secret')
})

test('a value that is not an error is not a fault', () => {
  for (const thing of [null, undefined, 'ECONNREFUSED', { code: 'ECONNREFUSED' }]) expect(isFault(thing)).toBe(false)
})
