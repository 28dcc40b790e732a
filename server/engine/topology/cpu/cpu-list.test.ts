import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCpuList, parseVcpuMask, readInteger } from './cpu-list'

describe('a CPU list', () => {
  const check = (text: string, cpus: readonly number[] | null) =>
    it(`reads ${JSON.stringify(text)}`, () => expect(parseCpuList(text)).toEqual(cpus))

  check('', [])
  check('0-3,^2', [0, 1, 3])
  check('^2,0-3', [0, 1, 3])
  check('0-7,^2-4', [0, 1, 5, 6, 7])
  check(' 1 , 3 - 5 ', [1, 3, 4, 5])
  check('1_0', [10])
  check('3-1', null)
  check('-1', null)
  check('^', null)
  check('1-2-3', null)
  check('0-99999999999', null)

  it('parses back from its CPUs', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200)), (cpus) => {
        expect(parseCpuList(cpus.join(','))).toEqual(cpus.toSorted((a, b) => a - b))
      }),
    )
  })
})

describe('a vCPU mask', () => {
  it('that starts with an exclusion means all others', () => expect(parseVcpuMask(' ^0', 4)).toEqual([1, 2, 3]))
  it('otherwise means exactly its list, even beyond the flavor', () =>
    expect(parseVcpuMask('2-5', 4)).toEqual([2, 3, 4, 5]))
})

describe('an integer', () => {
  const check = (text: string, value: number | null) =>
    it(`reads ${JSON.stringify(text)}`, () => expect(readInteger(text)).toBe(value))

  check(' 12 ', 12)
  check('+3', 3)
  check('-3', -3)
  check('1_000', 1000)
  check('1.5', null)
  check('1GB', null)
  check('', null)
})
