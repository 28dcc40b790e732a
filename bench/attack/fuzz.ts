import { setTimeout as pause } from 'node:timers/promises'
import { type AttackOptions, nextAttack } from '../../server/api/testing/hostile/calls'
import { type RawResponse, requestAt } from '../../server/api/testing/hostile/client'
import { floodBody, floodSignIn, openStreams } from '../../server/api/testing/hostile/floods'
import { seeded } from '../../server/engine/testing/seeded'
import { BenchServer } from '../console/server'
import { type AttackAccounts, makeAttackAccounts } from './attackers'
import { type AttackSettings, attackSettings } from './settings'
import { watchServer } from './watch'

// Hostile calls to every API of a real server with the demo fleet, then overload at full size: an endless body, a flood
// of sign-ins, a thousand streams. Prints what broke, and exits with 1 if anything did.

const WARM_UP = 1_000
const RSS_LIMIT_MIB = 200
const BLOCKED_LIMIT_MS = 500
const MAX_LISTED_FAILURES = 20

const USAGE = 'usage: npm run fuzz -- [--calls 50000] [--seed 1] [--port 3390] [--at-once 16]'

const settings = attackSettings(USAGE, { calls: 50_000, port: 3390 })
const server = await BenchServer.start({ port: settings.port, demo: '24x200', speed: 20 })
try {
  process.exitCode = (await attack(server, settings)) ? 0 : 1
} catch (error) {
  console.error(`${error}; end of the server log:\n${server.log}`)
  process.exitCode = 1
} finally {
  await server.remove()
}

async function attack(target: BenchServer, { calls, seed, port, atOnce }: AttackSettings): Promise<boolean> {
  const accounts = await makeAttackAccounts(target)
  const rng = seeded(seed)
  const asWhom = (): AttackOptions => {
    const chance = rng()
    const cookie =
      chance < 0.7 ? accounts.viewer : chance < 0.88 ? accounts.operator : chance < 0.94 ? accounts.admin : ''
    return { rng, ids: accounts.ids, cookie, token: accounts.token }
  }
  const count: Record<string, number> = {}
  const broken: string[] = []
  let done = 0
  const fire = async (total: number) => {
    let left = total
    const one = async () => {
      while (left-- > 0) {
        if (target.death !== null) throw new Error(`${target.death} after ${done} calls`)
        const sent = nextAttack(asWhom())
        const response = await requestAt(port, sent)
        count[response.status] = (count[response.status] ?? 0) + 1
        done++
        const why = whyBroken(response)
        if (why !== null)
          broken.push(
            `${why}: ${sent.method} ${sent.path.slice(0, 300)} ${sent.body?.toString().slice(0, 300) ?? ''} → ${response.text.slice(0, 300)}`,
          )
      }
    }
    await Promise.all(Array.from({ length: atOnce }, one))
  }
  const began = performance.now()
  await fire(Math.min(WARM_UP, calls))
  if (broken.length > 0)
    throw new Error(
      `${broken.length} of the first ${WARM_UP} calls failed:\n${broken.slice(0, MAX_LISTED_FAILURES).join('\n')}`,
    )
  const watch = watchServer(target)
  await fire(Math.max(0, calls - WARM_UP))
  const seconds = (performance.now() - began) / 1000
  await pause(5_000) // lets the server release memory
  const seen = await watch.stop()
  console.log(`${calls} calls in ${seconds.toFixed(0)} s, seed ${seed}; responses by status: ${JSON.stringify(count)}`)
  for (const line of broken.slice(0, MAX_LISTED_FAILURES)) console.log(`  ${line}`)
  const checks: readonly (readonly [boolean, string])[] = [
    [broken.length === 0, `${broken.length} calls failed`],
    [seen.grownMib < RSS_LIMIT_MIB, `memory grew by ${seen.grownMib.toFixed(0)} MiB (limit ${RSS_LIMIT_MIB})`],
    [
      seen.blockedMs < BLOCKED_LIMIT_MS,
      `the event loop was blocked for up to ${seen.blockedMs.toFixed(0)} ms (limit ${BLOCKED_LIMIT_MS}; in this process: ${seen.noiseMs.toFixed(0)} ms)`,
    ],
    await oneHugeBody(target, port),
    await manyStreams(port, accounts),
    await manyGuesses(port, accounts),
  ]
  for (const [holds, what] of checks) console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
  return checks.every(([holds]) => holds)
}

/** The failure of one call in a batch is inside a successful response. */
function whyBroken({ status, text, headers }: RawResponse): string | null {
  if (status >= 500 || status === 0) return String(status)
  if (/"httpStatus":5\d\d/.test(text)) return 'a call of the batch failed'
  if (headers['x-content-type-options'] !== 'nosniff' || !headers['content-security-policy'])
    return 'no security headers'
  const to = headers.location
  if (status >= 300 && status < 400 && to && new URL(to, 'http://berth.test').hostname === 'evil.test')
    return 'redirected to another site'
  return null
}

// Overload at full size, on a separate server. Each check returns its result as a sentence.

type Finding = readonly [holds: boolean, what: string]

const MIB = 1024 * 1024
const HUGE_MIB = 400
const GROWTH_LIMIT_MIB = 200
const STREAMS = 1_000
const WRITE_LIMIT_MS = 2_000
const GUESSES = 500
const CHECKED_GUESSES_LIMIT = 10

async function oneHugeBody(server: BenchServer, port: number): Promise<Finding> {
  const before = server.rssBytes ?? 0
  let most = before
  const onPart = () => {
    most = Math.max(most, server.rssBytes ?? 0)
  }
  const { takenMib } = await floodBody(port, { mib: HUGE_MIB, onPart })
  const grown = (most - before) / MIB
  const what = `a body of ${HUGE_MIB} MiB to sign-in: ${takenMib} MiB read, memory grew by ${grown.toFixed(0)} MiB`
  return [grown < GROWTH_LIMIT_MIB, what]
}

async function manyStreams(port: number, accounts: AttackAccounts): Promise<Finding> {
  const input = { id: accounts.ids[0], scheduling: 'disabled', reason: 'stream flood' }
  const write = { path: 'host.setScheduling', cookie: accounts.admin, input }
  const met = await openStreams(port, { streams: STREAMS, cookie: accounts.viewer, write })
  await pause(500) // lets the server release cut-off requests
  const { status, tookMs } = met.write
  const what = `${STREAMS} streams of one viewer: ${met.open} open, ${met.refused} refused; a concurrent write: ${status} in ${tookMs.toFixed(0)} ms`
  return [status < 500 && status !== 429 && tookMs < WRITE_LIMIT_MS && met.refused > 0, what]
}

async function manyGuesses(port: number, { adminPassword }: AttackAccounts): Promise<Finding> {
  const met = await floodSignIn(port, { guesses: GUESSES, username: 'admin', password: adminPassword })
  const what = `${GUESSES} password guesses for admin from one address: ${met.lookedAt} were checked; sign-in of the owner from another address: ${met.ownerDuring} during, ${met.ownerAfter} after`
  return [met.ownerDuring === 200 && met.ownerAfter === 200 && met.lookedAt <= CHECKED_GUESSES_LIMIT, what]
}
