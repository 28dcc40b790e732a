import type { Driver } from '../drivers/driver'
import type { HostFrame } from '../engine/host'
import type { HostId } from '../engine/words/ids'
import type { HostAnswer } from '../store/survey/survey'
import { cancelAfter, withTimeout } from '../store/time/with-timeout'

// Surveys every host periodically, so that screens can say when each last answered and the audit can compare records
// and hypervisors. It repairs and decides nothing: operators set a host's status, and migrations check hosts themselves
// before they act.

type SurveyedHost = Pick<HostFrame, 'id' | 'status' | 'driver'>

export interface SurveyOptions {
  hosts(): Promise<readonly SurveyedHost[]>
  readonly drivers: { readonly [K in HostFrame['driver']]: Pick<Driver, 'survey' | 'devices'> }
  note(answers: readonly HostAnswer[]): Promise<void>
  now(): number
  /** No caller waits for this survey: queries are spread over this many ms, less for fewer hosts. */
  readonly spreadMs?: number
  /** Aborted when the remaining hosts need not be queried. */
  readonly stopping?: AbortSignal
}

const ANSWER_LIMIT_MS = 10_000 // a slower host counts as silent this time
const AT_ONCE = 16
const HOST_INTERVAL_MS = 30
const NOTED_AT_ONCE = 64 // hosts per statement, so that a silent host does not delay the answers of others

/** One survey of these hosts, or of all, without permanently lost ones. Returns which answered. */
export async function surveyOnce(options: SurveyOptions, only?: ReadonlySet<HostId>): Promise<readonly HostId[]> {
  const hosts = (await options.hosts()).filter(({ id, status }) => status !== 'lost' && (only?.has(id) ?? true))
  const seen: HostId[] = []
  const pending: HostAnswer[] = []
  const left = [...hosts.entries()]
  const waitFor = spreadOver(options, hosts.length)
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [nth, host] = next
      await waitFor(nth)
      if (options.stopping?.aborted) return
      const answer = await ask(options, host)
      if (answer.guests !== null) seen.push(host.id)
      pending.push(answer)
      if (pending.length >= NOTED_AT_ONCE) await options.note(pending.splice(0))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (pending.length > 0) await options.note(pending)
  return seen
}

/** Resolves at the nth host's time. Does not keep the process alive. */
function spreadOver({ spreadMs = 0, now }: SurveyOptions, hosts: number): (nth: number) => Promise<void> {
  const begun = now()
  const everyMs = Math.min(HOST_INTERVAL_MS, spreadMs / hosts)
  return async (nth) => {
    const turnMs = nth * everyMs
    // A clock that was set back must not delay it further.
    const waitMs = Math.min(begun + turnMs - now(), turnMs)
    if (waitMs <= 0) return
    await new Promise((resolve) => setTimeout(resolve, waitMs).unref())
  }
}

async function ask({ drivers, now }: SurveyOptions, { id, driver }: SurveyedHost): Promise<HostAnswer> {
  const at = now()
  let silence: string | null = null
  const domains = await cancelAfter(ANSWER_LIMIT_MS, (signal) => drivers[driver].survey(id, signal)).catch(
    (error: unknown) => {
      silence = error instanceof Error ? error.message : null
      return null
    },
  )
  if (domains === null) return { host: id, at, guests: domains, devices: null, silence }
  const devices = drivers[driver].devices?.(id) ?? Promise.resolve(null)
  return { host: id, at, guests: domains, devices: await withTimeout(ANSWER_LIMIT_MS, devices).catch(() => null) }
}
