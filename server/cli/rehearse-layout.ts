import { randomUUID } from 'node:crypto'
import { startTestServer } from '../boot/test-database'
import type { Actor } from '../engine/change'
import { rolloutChange } from '../engine/layout/change'
import { newRollout, type Rollout } from '../engine/layout/rollout'
import { killReshapes } from '../simulation/reshape/kills'
import { readSnapshot } from '../store/audit/records'
import { commit } from '../store/commit/commit'
import type { Database } from '../store/database/database'
import { readHosts } from '../store/host/read'
import { readLastRollout, readMarkers } from '../store/layout/read'

// The layout part of a rehearsal: a rollout over the whole fleet during migrations, or by processes that are killed.

/** A rollout over every host, fullest first, so that hosts are converted during migrations. The server runs it. */
export async function startRollout(database: Database, actor: Actor): Promise<void> {
  const hosts = (await readHosts(database)).sort((a, b) => b.holdings.length - a.holdings.length).map(({ id }) => id)
  const at = Date.now()
  const rollout = newRollout({ id: randomUUID(), hosts, by: actor.who, reason: 'rehearsal', at })
  const committed = await commit(database, rolloutChange(null, rollout, { actor, at }))
  if (!committed.ok) throw new Error(`no rollout was started: ${JSON.stringify(committed.conflict)}`)
}

const POLL_MS = 500

/** The lines to print when the rollout is over or has stopped; `giveUpAt` is a time of day. */
export async function rolloutEnded(database: Database, giveUpAt: number): Promise<readonly string[]> {
  for (;;) {
    const rollout = await readLastRollout(database)
    if (rollout === null) throw new Error('no rollout was started')
    if (rollout.state !== 'running') return rolloutLines(database, rollout)
    if (Date.now() > giveUpAt) throw new Error(`the rollout has not ended: ${rollout.next} of ${rollout.hosts.length}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function rolloutLines(database: Database, rollout: Rollout): Promise<readonly string[]> {
  const { healed, skipped, blocked, state, at } = rollout
  const tookS = Math.round((Date.now() - at) / 1000)
  const reasons = new Map<string, number>()
  for (const { why } of (await readMarkers(database)).values()) {
    if (why !== null) reasons.set(why, (reasons.get(why) ?? 0) + 1)
  }
  const { migrations } = await readSnapshot(database)
  const ended = migrations.filter(({ outcome }) => outcome !== null).length
  return [
    `rollout    ${state}: ${healed} converted, ${skipped} skipped, ${blocked} blocked in ${tookS} s`,
    `meanwhile  ${ended} of ${migrations.length} migrations ended before the rollout did`,
    ...(rollout.why === null ? [] : [`stopped    ${rollout.why}`]),
    ...[...reasons].map(([why, count]) => `reason     ${count} × ${why}`),
  ]
}

/** Exit code 1 if a host was neither unchanged nor converted. */
export async function rehearseKills(kills: number, seed: number): Promise<number> {
  const server = await startTestServer()
  const began = Date.now()
  try {
    const { freshDatabase } = server
    const tally = await killReshapes({ freshDatabase, kills, seed, progress: showKills })
    const { anyTime, atCommit, insideCommit, foundOld, foundNew, hosts, rollouts, broken } = tally
    console.log(
      `kills      ${tally.kills}: ${anyTime} at any time, ${atCommit} next to a commit, ${insideCommit} during one`,
    )
    console.log(`found      at the kill ${foundOld} hosts were unchanged, ${foundNew} converted`)
    console.log(`fleet      ${hosts} hosts in ${rollouts} rollouts, ${Math.round((Date.now() - began) / 1000)} s`)
    for (const line of broken) console.log(`broken     ${line}`)
    return broken.length === 0 ? 0 : 1
  } finally {
    await server.stop()
  }
}

const TELL_EVERY = 10

function showKills({ kills, broken }: { readonly kills: number; readonly broken: readonly string[] }): void {
  if (kills % TELL_EVERY === 0) console.error(`${kills} kills, ${broken.length} broken`)
}
