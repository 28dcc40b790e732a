import { z } from 'zod'
import { ALARM_KINDS, ALARMS, type AlarmKind, type AlarmSeverity, alarmTitle } from '../../engine/alarm/alarms'
import {
  type AlarmMute,
  type AlarmRow,
  acknowledgeAlarms,
  countAlarms,
  listAlarms,
  listMutes,
  muteAlarms,
  unmuteAlarms,
} from '../../store/alarm/alarm'
import { addTest, CHANNELS, type Channel, type DeliveryRow, listDeliveries } from '../../store/alarm/delivery'
import { type Permit, permitFor } from '../permit/rights'
import type { Ms } from '../plain'
import { line, object, oneOf, reason, recordId, wholeNumber } from '../procedure/inputs'
import { actorOf, attributionOf, proposer, router, settingsAdmin, viewer } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'

// Alarms, open and past, with acknowledgements, mutes and deliveries.

export interface AlarmView extends Omit<AlarmRow, 'subject'> {
  readonly subject: string
  readonly title: string
  readonly isMuted: boolean
}

export interface AlarmsView {
  readonly rows: readonly AlarmView[]
  readonly mutes: readonly (AlarmMute & { readonly title: string })[]
  readonly rules: readonly { readonly kind: AlarmKind; readonly title: string; readonly severity: AlarmSeverity }[]
  /** The channels by which this server sends alarms. */
  readonly channels: readonly Channel[]
  readonly permitted: { readonly acknowledge: Permit; readonly test: Permit }
}

export type AlarmDeliveryView = DeliveryRow

const LISTED = 200
const MAX_MUTE_HOURS = 24 * 30
const HOUR_MS = 3_600_000

const kinds = ALARM_KINDS as readonly [AlarmKind, ...AlarmKind[]]
const ids = z
  .array(recordId('an alarm'), { error: 'expected a list of ids of alarms' })
  .min(1, 'expected an alarm')
  .max(LISTED)
const muteInput = object({
  kind: oneOf(kinds),
  subject: line('the subject of an alarm').nullable(),
  hours: wholeNumber('hours', 1, MAX_MUTE_HOURS),
  reason,
})

export const alarmRouter = router({
  list: viewer.query(async ({ ctx }): Promise<AlarmsView> => {
    const { database, now, alarms } = ctx.services
    const [rows, mutes] = await Promise.all([listAlarms(database, LISTED), listMutes(database, now())])
    const isMuted = ({ kind, subject }: AlarmRow) =>
      mutes.some((mute) => mute.kind === kind && (mute.subject === null || mute.subject === subject))
    const { caller } = ctx
    return {
      rows: rows.map((row) => ({ ...row, title: alarmTitle(row.kind), isMuted: isMuted(row) })),
      mutes: mutes.map((mute) => ({ ...mute, title: alarmTitle(mute.kind) })),
      rules: kinds.map((kind) => ({ kind, title: alarmTitle(kind), severity: ALARMS[kind].severity })),
      channels: alarms.open,
      permitted: { acknowledge: permitFor(caller, 'propose'), test: permitFor(caller, 'configure') },
    }
  }),

  /** Open and not acknowledged. */
  counts: viewer.query(({ ctx }): Promise<{ critical: number; warning: number }> => countAlarms(ctx.services.database)),

  deliveries: viewer.query(
    ({ ctx }): Promise<readonly AlarmDeliveryView[]> => listDeliveries(ctx.services.database, LISTED),
  ),

  acknowledge: proposer.everywhere
    .input(object({ ids, reason }))
    .mutation(async ({ ctx, input }): Promise<{ ids: readonly string[] }> => {
      const { database } = ctx.services
      const done = await acknowledgeAlarms(database, { ids: input.ids, ...attributionOf(ctx, input.reason) })
      return done.length > 0
        ? { ids: done }
        : refuseUnknown('open alarm that nobody has acknowledged', input.ids.join(', '))
    }),

  mute: proposer.everywhere.input(muteInput).mutation(async ({ ctx, input }): Promise<{ id: string; until: Ms }> => {
    const { database, now, newId } = ctx.services
    const [at, id] = [now(), newId()]
    const until = at + input.hours * HOUR_MS
    const { kind, subject } = input
    await muteAlarms(database, {
      id,
      kind,
      subject,
      until,
      reason: input.reason,
      actor: actorOf(ctx, input.reason),
      at,
    })
    return { id, until }
  }),

  unmute: proposer.everywhere
    .input(object({ id: recordId('a mute'), reason }))
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const { database } = ctx.services
      const done = await unmuteAlarms(database, { id: input.id, ...attributionOf(ctx, input.reason) })
      return done ? { id: input.id } : refuseUnknown('active mute', input.id)
    }),

  /** Sent like an alarm, with retries and a line in the log. */
  test: settingsAdmin.everywhere
    .input(object({ channel: oneOf(CHANNELS), reason }))
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const { database, newId, alarms } = ctx.services
      const { channel } = input
      if (!alarms.open.includes(channel)) return refuseChannel(channel)
      const id = newId()
      const body = alarms.testEvent(ctx.caller.username)
      await addTest(database, { id, channel, body, ...attributionOf(ctx, input.reason) })
      alarms.wake()
      return { id }
    }),
})

function refuseChannel(channel: Channel): never {
  const next = 'Set the channel in the configuration of Berth, as docs/alarms.md says.'
  const [need, have] = [`send by ${channel}`, `this server has no ${channel}`]
  return refuse('not-permitted', { what: 'Send a test', need, have, next })
}
