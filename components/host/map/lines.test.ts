import { expect, it } from 'vitest'
import { arcBetween, lineTo } from './lines'

const instance = { left: 500, top: 100, width: 200, height: 20 }

it('a line leaves an instance on the side of the unit and ends at the edge that faces it', () => {
  expect(lineTo(instance, { left: 100, top: 40, width: 24, height: 20 })).toEqual({
    ...{ path: 'M500 110C312 110 312 50 124 50', x: 124, y: 50 },
  })
  expect(lineTo(instance, { left: 900, top: 40, width: 24, height: 20 })).toEqual({
    ...{ path: 'M700 110C800 110 800 50 900 50', x: 900, y: 50 },
  })
})

it('a line bends even when the unit is right beside the instance', () => {
  expect(lineTo(instance, { left: 460, top: 100, width: 40, height: 20 }).path).toBe('M500 110C476 110 524 110 500 110')
})

it('a line arcs over what lies between an old unit and its new one', () => {
  const [old, fresh] = [
    { left: 0, top: 100, width: 20, height: 20 },
    { left: 100, top: 100, width: 20, height: 20 },
  ] as const
  expect(arcBetween(old, fresh)).toBe('M10 110Q60 76 110 110')
})
