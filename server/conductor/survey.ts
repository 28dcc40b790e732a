import type { Driver } from '../drivers/driver'
import type { HostFrame } from '../engine/host'
import type { HostId } from '../engine/words/ids'
import { within } from './run'

// Looks at every host now and then, so that screens can say when each last answered. It heals nothing and decides
// nothing: what is true about a host is stated by people, and moves look for themselves before they act.

export interface SurveyOptions {
  hosts(): Promise<readonly Pick<HostFrame, 'id' | 'truth' | 'driver'>[]>
  readonly drivers: { readonly [K in HostFrame['driver']]: Pick<Driver, 'survey'> }
  noteSeen(hosts: readonly HostId[], at: number): Promise<void>
  now(): number
}

const ANSWER_LIMIT_MS = 10_000 // a host that takes longer is not seen this time
const AT_ONCE = 16

/** One look at all hosts but those that are gone. Answers who answered. */
export async function surveyOnce(options: SurveyOptions): Promise<readonly HostId[]> {
  const hosts = (await options.hosts()).filter((host) => host.truth !== 'gone')
  const seen: HostId[] = []
  const left = [...hosts]
  const worker = async () => {
    for (let host = left.shift(); host; host = left.shift()) {
      const answered = await within(ANSWER_LIMIT_MS, options.drivers[host.driver].survey(host.id)).catch(() => null)
      if (answered !== null) seen.push(host.id)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (seen.length > 0) await options.noteSeen(seen, options.now())
  return seen
}
