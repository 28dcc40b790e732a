import { expect, it } from 'vitest'
import type { ServerSession } from '../../store/task/server-session'
import { awaySpans } from './away'

// Times in seconds, for the eye.
const at = (s: number) => s * 1000
const session = (from: number, seen: number): ServerSession => ({ from: at(from), seen: at(seen) })
const move = (from: number, to: number | null, now = 100) => ({
  from: at(from),
  to: to === null ? null : at(to),
  now: at(now),
})

it.each<[title: string, sessions: ServerSession[], ask: ReturnType<typeof move>, spans: (number | null)[][]]>([
  ['led all the while', [session(0, 99)], move(10, null), []],
  ['between a crash and the next server', [session(0, 20), session(40, 99)], move(10, null), [[20, 40]]],
  ['only as long as the move lasted', [session(0, 20), session(40, 99)], move(25, 30), [[25, 30]]],
  ['not before the move began', [session(0, 5), session(8, 99)], move(10, null), []],
  ['another server led meanwhile', [session(0, 20), session(10, 50), session(40, 99)], move(10, null), []],
  ['a beat that was late is no absence', [session(0, 20), session(22, 99)], move(10, null), []],
  ['now', [session(0, 90)], move(10, null), [[90, null]]],
  ['the move ended before they went', [session(0, 90)], move(10, 50), []],
  ['nothing is known before the first', [session(50, 99)], move(10, null), []],
  ['nobody was ever heard', [], move(10, null), []],
])('awaySpans finds when no server ran it: %s', (_, sessions, ask, spans) => {
  expect(awaySpans(sessions, ask)).toEqual(
    spans.map(([from, to]) => ({ from: at(from!), to: to == null ? null : at(to) })),
  )
})
