import type { Driver } from '../drivers/driver'
import type { HostFrame } from '../engine/host'
import type { HostId } from '../engine/words/ids'
import type { HostAnswer } from '../store/survey/survey'
import { within } from '../store/time/within'

// Looks at every host now and then, so that screens can say when each last answered and the audit can hold the records
// against what hypervisors show. It heals nothing and decides nothing: what is true about a host is stated by people,
// and moves look for themselves before they act.

type SurveyedHost = Pick<HostFrame, 'id' | 'status' | 'driver'>

export interface SurveyOptions {
  hosts(): Promise<readonly SurveyedHost[]>
  readonly drivers: { readonly [K in HostFrame['driver']]: Pick<Driver, 'survey' | 'devices'> }
  note(answers: readonly HostAnswer[]): Promise<void>
  now(): number
  /** Nobody waits for this survey: hosts are asked one after the other over so many ms, the fewer of them the sooner. */
  readonly spreadMs?: number
  /** Aborted when the rest of the hosts need not be asked any more. */
  readonly stopping?: AbortSignal
}

const ANSWER_LIMIT_MS = 10_000 // a host that takes longer is not seen this time
const AT_ONCE = 16
const HOST_EVERY_MS = 30
const NOTED_AT_ONCE = 64 // hosts in one statement, so that a silent host does not hold up what others said

/** One look at these hosts, or at all, but never at those that are gone. Answers who answered. */
export async function surveyOnce(options: SurveyOptions, only?: ReadonlySet<HostId>): Promise<readonly HostId[]> {
  const hosts = (await options.hosts()).filter(({ id, status }) => status !== 'lost' && (only?.has(id) ?? true))
  const seen: HostId[] = []
  const heard: HostAnswer[] = []
  const left = [...hosts.entries()]
  const turn = turns(options, hosts.length)
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [nth, host] = next
      await turn(nth)
      if (options.stopping?.aborted) return
      const answer = await ask(options, host)
      if (answer.guests !== null) seen.push(host.id)
      heard.push(answer)
      if (heard.length >= NOTED_AT_ONCE) await options.note(heard.splice(0))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (heard.length > 0) await options.note(heard)
  return seen
}

/** Resolves when it is the turn of the nth host. A process that ends does not wait for it. */
function turns({ spreadMs = 0, now }: SurveyOptions, hosts: number): (nth: number) => Promise<void> {
  const begun = now()
  const everyMs = Math.min(HOST_EVERY_MS, spreadMs / hosts)
  return async (nth) => {
    const turnMs = nth * everyMs
    // A clock that was set back must not hold it up for longer.
    const waitMs = Math.min(begun + turnMs - now(), turnMs)
    if (waitMs <= 0) return
    await new Promise((resolve) => setTimeout(resolve, waitMs).unref())
  }
}

async function ask({ drivers, now }: SurveyOptions, { id, driver }: SurveyedHost): Promise<HostAnswer> {
  const at = now()
  const guests = await within(ANSWER_LIMIT_MS, drivers[driver].survey(id)).catch(() => null)
  if (guests === null) return { host: id, at, guests, devices: null }
  const told = drivers[driver].devices?.(id) ?? Promise.resolve(null)
  return { host: id, at, guests, devices: await within(ANSWER_LIMIT_MS, told).catch(() => null) }
}
