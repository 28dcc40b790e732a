import { expect, it } from 'vitest'
import type { ServerSession } from '../../store/task/server-session'
import { unattendedSpans } from './unattended'

// Times in seconds, for readability.
const at = (s: number) => s * 1000
const session = (from: number, seen: number): ServerSession => ({ from: at(from), seen: at(seen) })
const migration = (from: number, to: number | null, now = 100) => ({
  from: at(from),
  to: to === null ? null : at(to),
  now: at(now),
})

it.each<[title: string, sessions: ServerSession[], ask: ReturnType<typeof migration>, spans: (number | null)[][]]>([
  ['never while a server ran it', [session(0, 99)], migration(10, null), []],
  ['between a crash and the next server', [session(0, 20), session(40, 99)], migration(10, null), [[20, 40]]],
  ['only within the migration', [session(0, 20), session(40, 99)], migration(25, 30), [[25, 30]]],
  ['not before the migration began', [session(0, 5), session(8, 99)], migration(10, null), []],
  ['not while another server ran it', [session(0, 20), session(10, 50), session(40, 99)], migration(10, null), []],
  ['not because of a late beat', [session(0, 20), session(22, 99)], migration(10, null), []],
  ['now', [session(0, 90)], migration(10, null), [[90, null]]],
  ['not after the migration ended', [session(0, 90)], migration(10, 50), []],
  ['not before the first known server', [session(50, 99)], migration(10, null), []],
  ['unknown without any server', [], migration(10, null), []],
])('unattendedSpans finds when no server ran it: %s', (_, sessions, ask, spans) => {
  expect(unattendedSpans(sessions, ask)).toEqual(
    spans.map(([from, to]) => ({ from: at(from!), to: to == null ? null : at(to) })),
  )
})
