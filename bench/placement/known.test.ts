import { describe, expect, test } from 'vitest'
import { knownOf, type NormalizedResponse } from './known'
import { type PlacementRequest, RequestGenerator } from './random-requests'

const REFUSED = 'The URL contains the character NUL, which no name and no id contains.'
const answer = (status: number, body: string): NormalizedResponse => ({ status, code: '', body, marks: {} })

describe('a NUL in a request', () => {
  const check = (method: string, path: string, theirs: NormalizedResponse) =>
    knownOf({ asked: { method, path, minor: 39 }, ours: answer(400, REFUSED), theirs })

  test('in the address of a GET is a known difference, whatever Placement finds', () => {
    expect(check('GET', '/traits?name=%00', answer(200, '{"traits":[]}'))).toBe('nul')
    expect(check('GET', '/traits/CUSTOM_ONE?name=%00', answer(204, ''))).toBe('nul')
    expect(check('GET', '/usages?name=%00', answer(400, 'The project_id is missing'))).toBe('nul')
    expect(check('GET', '/resource_classes/NONE?name=%00', answer(404, 'No such class'))).toBe('nul')
  })

  test('explains nothing else: no write, no failure, no other refusal, no address without it', () => {
    expect(check('PUT', '/traits/CUSTOM_ONE?name=%00', answer(204, ''))).toBeNull()
    expect(check('GET', '/traits?name=%00', answer(500, 'failed'))).toBeNull()
    expect(check('GET', '/traits?name=x', answer(200, '{"traits":[]}'))).toBeNull()
    const asked: PlacementRequest = { method: 'GET', path: '/traits?name=%00', minor: 39 }
    expect(knownOf({ asked, ours: answer(400, 'Invalid query string'), theirs: answer(200, '{}') })).toBeNull()
  })

  test('is never sent where only Placement would write', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const generator = new RequestGenerator(seed)
      for (let each = 0; each < 5_000; each++) {
        const { method, path, raw } = generator.next()
        if (method === 'GET') continue
        expect(`${method} ${path}`).not.toContain('%00')
        if (/^\/resource_providers(\/[^/]+)?$/.test(path)) expect(String(raw)).not.toContain('\\u0000')
      }
    }
  })
})
