import { expect, it } from 'vitest'
import type { Shift } from '../../store/task/shift'
import { awaySpans } from './away'

// Times in seconds, for the eye.
const at = (s: number) => s * 1000
const shift = (from: number, seen: number): Shift => ({ from: at(from), seen: at(seen) })
const move = (from: number, to: number | null, now = 100) => ({
  from: at(from),
  to: to === null ? null : at(to),
  now: at(now),
})

it.each<[title: string, shifts: Shift[], ask: ReturnType<typeof move>, spans: (number | null)[][]]>([
  ['led all the while', [shift(0, 99)], move(10, null), []],
  ['between a crash and the next server', [shift(0, 20), shift(40, 99)], move(10, null), [[20, 40]]],
  ['only as long as the move lasted', [shift(0, 20), shift(40, 99)], move(25, 30), [[25, 30]]],
  ['not before the move began', [shift(0, 5), shift(8, 99)], move(10, null), []],
  ['another server led meanwhile', [shift(0, 20), shift(10, 50), shift(40, 99)], move(10, null), []],
  ['a beat that was late is no absence', [shift(0, 20), shift(22, 99)], move(10, null), []],
  ['now', [shift(0, 90)], move(10, null), [[90, null]]],
  ['the move ended before they went', [shift(0, 90)], move(10, 50), []],
  ['nothing is known before the first', [shift(50, 99)], move(10, null), []],
  ['nobody was ever heard', [], move(10, null), []],
])('no server led: %s', (_, shifts, ask, spans) => {
  expect(awaySpans(shifts, ask)).toEqual(
    spans.map(([from, to]) => ({ from: at(from!), to: to == null ? null : at(to) })),
  )
})
