import { type AlarmFacts, alarmsOf, alarmTitle } from '../engine/alarm/alarms'
import { type AlarmRow, noteAlarms } from '../store/alarm/alarm'
import { type DeliveryEvent, type DueDelivery, noteFailed, noteSent, takeDeliveries } from '../store/alarm/delivery'
import type { Database } from '../store/database/database'
import type { AlarmData, Channels } from './channels'

// One round: raises alarms for present conditions, ends those whose condition is gone, and sends what is due. It runs
// as a periodic task, on one server at a time; if two ran it, each delivery would still be leased by only one of them.

export interface AlarmParts {
  readonly database: Database
  readonly channels: Channels
  /** Berth's address; null: alarms have no links. */
  readonly publicUrl: string | null
  readonly now: () => number
  readonly newId: () => string
  facts(): Promise<AlarmFacts>
  onError(what: string, error: unknown): void
}

export async function deliverAlarms(parts: AlarmParts, stopping?: AbortSignal): Promise<void> {
  const { database, channels, newId, now } = parts
  const seen = alarmsOf(await parts.facts())
  await noteAlarms(database, seen, {
    ...{ at: now(), newId },
    deliveries: (event, alarm) => channels.open.map((channel) => ({ channel, body: eventOf(parts, { event, alarm }) })),
  })
  await sendDue(parts, stopping)
}

/** Longer than any attempt: after this time the server that leased a delivery is considered dead. */
const TAKEN_MS = 60_000
const SECOND = 1_000
const MINUTE = 60 * SECOND
/** Delays after the first failure, the second, and so on; the last one repeats until the delivery is given up. */
const RETRIES_MS = [10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE]
const GIVEN_UP_AFTER_MS = 24 * 60 * MINUTE

export async function sendDue(parts: AlarmParts, stopping?: AbortSignal): Promise<void> {
  const { database, now } = parts
  for (;;) {
    const at = now()
    const due = await takeDeliveries(database, { at, until: at + TAKEN_MS })
    if (due.length === 0 || stopping?.aborted) return
    // In parallel: a receiver that does not answer must not delay the others beyond their leases.
    await Promise.all(due.map((delivery) => sendOne(parts, delivery)))
  }
}

async function sendOne({ database, channels, now, onError }: AlarmParts, delivery: DueDelivery): Promise<void> {
  const { id, attempts, madeAt } = delivery
  try {
    await channels.send(delivery, now())
  } catch (error) {
    const at = now()
    const isOver = at - madeAt > GIVEN_UP_AFTER_MS
    const later = RETRIES_MS[Math.min(attempts, RETRIES_MS.length) - 1] ?? MINUTE
    onError(`an alarm could not be sent by ${delivery.channel}`, error)
    await noteFailed(database, { id, attempts, error: reasonOf(error), at, nextAt: isOver ? null : at + later })
    return
  }
  await noteSent(database, id, now())
}

const MAX_REASON_LENGTH = 500

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, MAX_REASON_LENGTH)
}

/** CloudEvents 1.0. Its id and time are fixed when the delivery is recorded, so that every attempt sends the same. */
function eventOf({ publicUrl, now }: AlarmParts, { event, alarm }: { event: DeliveryEvent; alarm: AlarmRow }): object {
  const { kind, severity, name, says, raisedAt, subject, id } = alarm
  const data: AlarmData = {
    ...{ event, kind, severity, title: alarmTitle(kind), name, says },
    raisedAt: new Date(raisedAt).toISOString(),
    ...pagesOf(publicUrl, kind),
  }
  return cloudEvent({ id: `${id}/${event}`, type: `berth.alarm.${event}`, subject: subject || kind, at: now(), data })
}

interface Event {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly at: number
  readonly data: AlarmData
}

const cloudEvent = ({ id, type, subject, at, data }: Event): object => ({
  ...{ specversion: '1.0', id, source: '/berth', type, subject, time: new Date(at).toISOString() },
  ...{ datacontenttype: 'application/json', data },
})

const pagesOf = (publicUrl: string | null, kind: string): Pick<AlarmData, 'runbook' | 'link'> => ({
  runbook: `docs/runbooks/${kind}.md`,
  link: publicUrl === null ? null : new URL('/alarms', publicUrl).href,
})

/** The event of the test button: there is no alarm, but the whole path to the receiver is exercised. */
export function testEvent(
  { publicUrl, now, newId }: Pick<AlarmParts, 'publicUrl' | 'now' | 'newId'>,
  by: string,
): object {
  const data: AlarmData = {
    ...{ event: 'test', kind: 'test', severity: 'warning', title: 'Test', name: 'Berth' },
    says: `${by} tests that alarms arrive. Nothing is wrong.`,
    ...{ raisedAt: null, runbook: 'docs/alarms.md', link: pagesOf(publicUrl, '').link },
  }
  return cloudEvent({ id: newId(), type: 'berth.alarm.test', subject: 'test', at: now(), data })
}
