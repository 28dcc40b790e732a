import fc from 'fast-check'
import { expect, test } from 'vitest'
import { devicesText, readDevices, readSpecs, specsText } from './lines'

const word = fc.stringMatching(/^[a-z][a-z0-9_:.-]{0,12}$/)
const keys = fc.dictionary(word, word, { minKeys: 1, maxKeys: 6 })

test('specs and devices written as lines parse back to the same values', () => {
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 4 }), (devices) => {
      expect(readDevices(devicesText(devices))).toEqual({ ok: true, value: devices })
      for (const specs of devices) expect(readSpecs(specsText(specs))).toEqual({ ok: true, value: specs })
    }),
  )
})

test('a value keeps its equals signs, and the error names a line without one', () => {
  expect(readSpecs('a=b=c\n\n x = y ')).toEqual({ ok: true, value: { a: 'b=c', x: 'y' } })
  expect(readSpecs('a=b\nnonsense')).toEqual({ ok: false, why: '“nonsense” is not key=value.' })
  expect(readDevices('vendor_id=8086 x')).toMatchObject({ ok: false })
})
