import { expect, it } from 'vitest'
import { bytes, duration, mib, pageSize, plural, ranges, utc } from './format'

it.each([
  [0, '0 ms'],
  [940, '940 ms'],
  [4_200, '4.2 s'],
  [59_900, '59 s'],
  [200_000, '3 min 20 s'],
  [180_000, '3 min'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
  [-5, '0 ms'],
])('%i ms is %s', (ms, text) => expect(duration(ms)).toBe(text))

it.each([
  [ranges([3, 0, 1, 2, 8, 11, 10]), '0-3,8,10-11'],
  [ranges([]), ''],
  [ranges([7]), '7'],
  [mib(512), '512 MiB'],
  [mib(1024), '1 GiB'],
  [mib(1_572_864), '1.5 TiB'],
  [pageSize(2048), '2 MiB'],
  [pageSize(1_048_576), '1 GiB'],
  [bytes(1_288_490_189), '1.2 GiB'],
  [plural(1, 'move'), '1 move'],
  [plural(20_000, 'instance'), '20,000 instances'],
  [utc(Date.UTC(2026, 10, 21, 1, 6, 56)), '2026-11-21 01:06:56'],
])('%s', (text, expected) => expect(text).toBe(expected))
