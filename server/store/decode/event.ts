import { z } from 'zod'
import { anything, integer, text, time } from './columns'
import { column, rowDecoder } from './row'

// An event with unreadable data is delivered without them: one row must not stop the readers of the sequence.

const data = z.record(text, anything)

interface EventCells {
  readonly data: Readonly<Record<string, unknown>>
  readonly raised?: Readonly<Record<string, number>>
  readonly at: number
}

const EVENT = rowDecoder<EventCells>('event', {
  data: column('data', data, {}),
  raised: column('raised', z.record(text, integer).optional(), {}),
  at: column('at', time, 0),
})

export const eventOf = <Row extends EventCells>(raw: Row): Row => EVENT.decode(raw) as Row

/** A value as the driver returns it: an infinite time is no Date. */
export const msOf = (at: unknown): number => (at instanceof Date && !Number.isNaN(at.getTime()) ? at.getTime() : 0)
