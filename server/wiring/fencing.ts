import type { Logger } from 'pino'
import type { FencingService } from '../api/fencing/service'
import { type FencerParts, makeFencer } from '../fencing/fencer'
import { readFencing } from '../fencing/settings'
import type { WokenTask } from './alarms'

const ROUND_INTERVAL_MS = 2_000

export interface OpenedFencing extends WokenTask {
  readonly service: FencingService
}

interface FencingParts extends Omit<FencerParts, 'methodFor' | 'onError'> {
  readonly log: Logger
}

/**
 * Fencing as configured in BERTH_FENCING_FILE; throws when that file is not valid. Simulated hosts have no power
 * control of their own.
 */
export function openFencing(
  { log, ...parts }: FencingParts,
  env: NodeJS.ProcessEnv,
  downs: (() => Promise<unknown>)[],
): OpenedFencing {
  const file = env.BERTH_FENCING_FILE ? readFencing(env.BERTH_FENCING_FILE, env) : null
  const methodFor: FencerParts['methodFor'] = (host) =>
    host.driver === 'simulated' ? null : (file?.methodFor(host) ?? null)
  const fencer = makeFencer({ ...parts, methodFor, onError: (what, error) => log.error({ error }, what) })
  downs.push(fencer.stop)
  let wake = () => {}
  return {
    service: {
      methodOf: (host) => {
        const method = methodFor(host)
        return (
          method && {
            kind: method.kind,
            where: method.where,
            deadlineMs: method.deadlineMs,
            verifies: method.readPower !== null,
          }
        )
      },
      wake: () => wake(),
    },
    task: { name: 'fencing', everyMs: ROUND_INTERVAL_MS, round: fencer.round },
    wakes: (task) => {
      wake = task
    },
  }
}
