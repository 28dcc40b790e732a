import { setTimeout as pause } from 'node:timers/promises'
import { floodSignIn, openStreams, pourBody } from '../../server/api/testing/hostile/sieges'
import type { BenchServer } from '../console/server'
import type { People } from './people'

// The sieges in full size, at a server of its own. Each says in a sentence what it found.

type Finding = readonly [holds: boolean, what: string]

const MIB = 1024 * 1024
const HUGE_MIB = 400
const GROWTH_LIMIT_MIB = 200
const STREAMS = 1_000
const WRITE_LIMIT_MS = 2_000
const GUESSES = 500
const LOOKED_AT_LIMIT = 10

export async function oneHugeBody(server: BenchServer, port: number): Promise<Finding> {
  const before = server.rssBytes ?? 0
  let most = before
  const onPart = () => {
    most = Math.max(most, server.rssBytes ?? 0)
  }
  const { takenMib } = await pourBody(port, { mib: HUGE_MIB, onPart })
  const grown = (most - before) / MIB
  const what = `a body of ${HUGE_MIB} MiB to sign-in: ${takenMib} MiB taken, memory grew by ${grown.toFixed(0)} MiB`
  return [grown < GROWTH_LIMIT_MIB, what]
}

export async function manyStreams(port: number, people: People): Promise<Finding> {
  const input = { id: people.ids[0], admission: 'disabled', reason: 'siege' }
  const write = { path: 'host.setAdmission', cookie: people.admin, input }
  const met = await openStreams(port, { streams: STREAMS, cookie: people.viewer, write })
  await pause(500) // what was cut off is given back
  const { status, tookMs } = met.write
  const what = `${STREAMS} streams of one viewer: ${met.open} open, ${met.refused} refused; a write beside them: ${status} in ${tookMs.toFixed(0)} ms`
  return [status < 500 && status !== 429 && tookMs < WRITE_LIMIT_MS && met.refused > 0, what]
}

export async function manyGuesses(port: number, { adminPassword }: People): Promise<Finding> {
  const met = await floodSignIn(port, { guesses: GUESSES, username: 'admin', password: adminPassword })
  const what = `${GUESSES} guesses at admin from one address: ${met.lookedAt} were looked at; the owner from another: ${met.ownerDuring} during, ${met.ownerAfter} after`
  return [met.ownerDuring === 200 && met.ownerAfter === 200 && met.lookedAt <= LOOKED_AT_LIMIT, what]
}
