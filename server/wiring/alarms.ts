import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { channelSettings, openChannels } from '../alarm/channels'
import { type AlarmParts, deliverAlarms, testEvent } from '../alarm/deliver'
import { alarmFacts } from '../api/alarm/facts'
import type { AlarmSender, HealthReader } from '../api/services'
import type { PeriodicTask } from '../conductor/periodic-task'

const ROUND_INTERVAL_MS = 10_000

/** A task whose next round starts as soon as something is due. */
export interface WokenTask {
  readonly task: PeriodicTask
  /** Receives the function that starts the next round, once the task runs. */
  wakes(wake: () => void): void
}

interface OpenAlarms extends WokenTask {
  readonly sender: AlarmSender
  close(): void
}

export interface AlarmServices extends Omit<Parameters<typeof alarmFacts>[0], 'health'> {
  /** The watch starts after the tasks, of which this is one. */
  health(): HealthReader
  readonly log: Logger
}

/** Alarms as configured by the environment; throws for a channel that cannot be used. */
export function openAlarms(services: AlarmServices, env: NodeJS.ProcessEnv): OpenAlarms {
  const channels = openChannels(channelSettings(env))
  const { log } = services
  const parts: AlarmParts = {
    ...{ database: services.database, now: services.now, channels },
    ...{ publicUrl: env.BERTH_URL || null, newId: () => randomUUID() },
    facts: () => alarmFacts({ ...services, health: services.health() }),
    onError: (what, error) => log.error({ error }, what),
  }
  let wake = () => {}
  return {
    task: { name: 'alarms', everyMs: ROUND_INTERVAL_MS, round: (stopping) => deliverAlarms(parts, stopping) },
    sender: { open: channels.open, testEvent: (by) => testEvent(parts, by), wake: () => wake() },
    wakes: (task) => {
      wake = task
    },
    close: channels.close,
  }
}
