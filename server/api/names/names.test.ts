import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idsInText, namedIn, namesFrom } from './names'

// An id with a name is never printed; one without a name stays whole, so that it can be looked up.

const parts = fc.array(
  fc.record({
    id: fc.uuid(),
    is: fc.constantFrom('host', 'instance', 'migration', 'unknown'),
    word: fc.constantFrom(' on ', ', ', ': '),
  }),
  { maxLength: 8 },
)

test('every id with a name is replaced by that name, in text at any depth', () => {
  fc.assert(
    fc.property(parts, (all) => {
      const of = (is: string) => all.filter((each) => each.is === is).map(({ id }) => id)
      const names = namesFrom({
        hosts: new Map(of('host').map((id) => [id, 'h-07'])),
        instances: new Map([...of('instance').map((id) => [id, 'web-1'] as const), ['i', 'web-2']]),
        migrations: new Map(of('migration').map((id) => [id, 'i'])),
      })
      const text = all.map(({ id, word }) => `${word}${id}`).join('')
      const expectedNames = { host: 'h-07', instance: 'web-1', migration: 'migration of web-2' } as const
      const wanted = all
        .map(({ id, is, word }) => `${word}${is === 'unknown' ? id : expectedNames[is as 'host']}`)
        .join('')
      expect(names.text(text)).toBe(wanted)
      expect(namedIn({ why: text, deep: [{ text }], n: 1, none: null }, names)).toEqual({
        ...{ why: wanted, deep: [{ text: wanted }], n: 1, none: null },
      })
      expect(idsInText(JSON.stringify({ text }))).toEqual(all.map(({ id }) => id))
    }),
  )
})
