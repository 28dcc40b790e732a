import { randomUUID } from 'node:crypto'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { migrate } from '../boot/migrate'
import { type RolloutParts, rolloutRound } from '../conductor/rollout'
import type { Actor, Change } from '../engine/change'
import { markChange, rolloutChange } from '../engine/layout/change'
import { marksOf } from '../engine/layout/dry-run'
import { commanded, isOpen, newRollout, type Rollout } from '../engine/layout/rollout'
import { commit } from '../store/commit/commit'
import { connectDatabase, type Database } from '../store/database/database'
import { readHosts } from '../store/host/read'
import { childId } from '../store/layout/ids'
import { readLastRollout, readMarkers } from '../store/layout/read'
import { type ReshapeResult, reshapeHost } from '../store/layout/reshape'
import { openDatabaseClock, readDatabaseTime } from '../store/time/database-clock'
import { messageOf, onDatabase, printedHelp, wrongCall } from './usage'

// npm run reshape -- --dry-run | --host NAME | --all. No instance migrates or stops: only the
// providers of allocations change. Exit code 0: done. 1: a host stays flat, with its reason on standard output. 2: wrong
// arguments.

const USAGE = `usage: npm run reshape -- --dry-run            plan every flat host; change nothing
       npm run reshape -- --host NAME          convert one host to nested providers
       npm run reshape -- --all                convert every host, or continue the current rollout
       … --reason TEXT                         for the audit log`

type Order =
  | { readonly what: 'dry-run' | 'all'; readonly reason: string }
  | { readonly what: 'host'; readonly host: string; readonly reason: string }

async function main(): Promise<number> {
  if (printedHelp(process.argv.slice(2), USAGE)) return 0
  const order = readOrder()
  if (typeof order === 'string') return wrongCall(order, USAGE)
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('DATABASE_URL is not set; run this through `npm run reshape`')
  await migrate(url)
  const database = connectDatabase({ url, onLost: (error) => console.error(`connection lost: ${error.message}`) })
  const actor = { who: os.userInfo().username, request: `convert ${randomUUID().slice(0, 8)}`, reason: order.reason }
  try {
    if (order.what === 'dry-run') return await dryRun(database, actor)
    return order.what === 'host' ? await oneHost(database, order.host, actor) : await everyHost(database, actor)
  } finally {
    await database.close()
  }
}

/** Or why there is none. */
function readOrder(): Order | string {
  try {
    const flag = { type: 'boolean', default: false } as const
    const text = { type: 'string' } as const
    const { values } = parseArgs({ options: { 'dry-run': flag, all: flag, host: text, reason: text } })
    const asked = [values['dry-run'], values.all, values.host !== undefined].filter(Boolean)
    if (asked.length !== 1) return 'Use one of --dry-run, --host and --all'
    const reason = values.reason ?? 'nested providers'
    if (values.host !== undefined) return { what: 'host', host: values.host, reason }
    return { what: values.all ? 'all' : 'dry-run', reason }
  } catch (error) {
    return messageOf(error)
  }
}

async function dryRun(database: Database, actor: Actor): Promise<number> {
  const [hosts, markers] = await Promise.all([readHosts(database), readMarkers(database)])
  const marks = marksOf(hosts, markers, childId)
  await commitOrThrow(database, markChange(marks, { actor, at: await readDatabaseTime(database) }))
  const blocked = marks.filter(({ state }) => state === 'blocked')
  const names = new Map(hosts.map(({ id, name }) => [id, name]))
  const nested = hosts.length - marks.length
  console.log(
    `${marks.length - blocked.length} can be converted, ${blocked.length} cannot, ${nested} are already nested`,
  )
  for (const { host, why } of blocked) console.log(`${names.get(host)}: ${why}`)
  return blocked.length === 0 ? 0 : 1
}

async function commitOrThrow(database: Database, change: Change): Promise<void> {
  const committed = await commit(database, change)
  if (committed.ok) return
  const { id, expected, found } = committed.conflict
  throw new Error(`${id} changed concurrently from ${expected} to ${found}. Nothing was written; try again.`)
}

const TRIES = 20 // for a host with frequent claims

async function oneHost(database: Database, name: string, actor: Actor): Promise<number> {
  const host = (await readHosts(database)).find((each) => each.name === name)
  if (!host) {
    console.error(`There is no host ${name}. Nothing was changed.`)
    return 2
  }
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const attribution = { actor, at: await readDatabaseTime(database) }
    const reshaped = await reshapeHost({ database, commit: (change) => commit(database, change), attribution }, host.id)
    if (reshaped.did === 'conflict') continue
    console.log(lineOf(name, reshaped))
    return reshaped.did === 'verified' || reshaped.did === 'skipped' ? 0 : 1
  }
  console.error(`Claims on ${name} change too often to convert it. Nothing was changed; try again.`)
  return 1
}

const SAYS = {
  verified: 'nested and verified',
  skipped: 'already nested',
  blocked: 'stays flat',
  failed: 'failed',
} as const

function lineOf(name: string, reshaped: Exclude<ReshapeResult, { did: 'conflict' }>): string {
  return `${name}: ${SAYS[reshaped.did]}${'why' in reshaped ? `. ${reshaped.why}` : ''}`
}

/** Beside a running server both run the same rollout; the first commit counts, and the other reads again. */
async function everyHost(database: Database, actor: Actor): Promise<number> {
  const clock = await openDatabaseClock(database, { onFailure: () => {}, onOffset: () => {} })
  try {
    return await carryRollout({ database, now: clock.now }, actor)
  } finally {
    clock.stop()
  }
}

async function carryRollout({ database, now }: Pick<RolloutParts, 'database' | 'now'>, actor: Actor): Promise<number> {
  const names = new Map((await readHosts(database)).map(({ id, name }) => [id as string, name]))
  let rollout = await openRollout(database, actor)
  while (rollout.state === 'running') {
    const round = await rolloutRound({
      database,
      commit: (change) => commit(database, change),
      now,
      onHostDone: ({ hosts, next }, host, reshaped) => {
        console.log(`${next + 1} of ${hosts.length}  ${lineOf(names.get(host) ?? host, reshaped)}`)
      },
    })
    rollout = round ?? rollout
  }
  const { healed, skipped, blocked, state, why } = rollout
  console.log(`${state}: ${healed} converted, ${skipped} already nested, ${blocked} stay flat${why ? `. ${why}` : ''}`)
  if (state === 'stopped') console.log('Correct the cause and run this again: it continues with the same host.')
  return state === 'done' && blocked === 0 ? 0 : 1
}

/** The open rollout, resumed if it is paused or stopped, or a new one over all hosts. */
async function openRollout(database: Database, actor: Actor): Promise<Rollout> {
  const last = await readLastRollout(database)
  const attribution = { actor, at: await readDatabaseTime(database) }
  if (last && isOpen(last)) {
    const resumed = commanded(last, 'resume')
    if (!('id' in resumed)) return last
    await commitOrThrow(database, rolloutChange(last, resumed, attribution))
    console.error(`Continuing the rollout of ${last.by}, ${last.next} of ${last.hosts.length} hosts done`)
    return resumed
  }
  const hosts = (await readHosts(database)).map(({ id }) => id)
  const reason = actor.reason ?? ''
  const rollout = newRollout({ id: randomUUID(), hosts, by: actor.who, reason, at: attribution.at })
  await commitOrThrow(database, rolloutChange(null, rollout, attribution))
  return rollout
}

process.exitCode = await onDatabase(main())
