import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from '../chance'
import type { BerthCopies } from './berth-copies'
import type { DatabaseCluster } from './cluster'

// Faults of the database and of the copies of Berth, each followed by its recovery. A fault that is to cost a node its
// role lasts longer than Patroni's lease of 20 seconds.

export interface Victims {
  readonly cluster: DatabaseCluster
  readonly berths: BerthCopies
  readonly chance: Chance
}

type Fault = (victims: Victims) => Promise<void>

const LONGER_THAN_LEASE_MS = 32_000
const WHILE_MS = 12_000

/** Patroni removes a role from one machine some seconds before it assigns the role to another. */
const WITHOUT_MS = 120_000
const POLL_INTERVAL_MS = 500

/** Waits for a machine with that role. */
async function one<T>(find: () => Promise<T | null>, what: string): Promise<T> {
  for (let waited = 0; waited <= WITHOUT_MS; waited += POLL_INTERVAL_MS) {
    const machine = await find()
    if (machine !== null) return machine
    await pause(POLL_INTERVAL_MS)
  }
  throw new Error(`There was no ${what} for ${WITHOUT_MS / 1_000} seconds.`)
}

const pick = <T>(chance: Chance, of: readonly T[]): T => {
  const picked = chance.pick(of)
  if (picked === undefined) throw new Error('There is nothing to choose from.')
  return picked
}

export const FAULTS = {
  /** The primary's machine loses power and comes back after another node has been promoted. */
  'primary killed': async ({ cluster }) => {
    const primary = await one(cluster.primary, 'primary')
    await primary.kill()
    await pause(LONGER_THAN_LEASE_MS)
    primary.start()
  },
  /** The primary freezes beyond its leader lease and then continues as if it were still primary. */
  'primary frozen': async ({ cluster }) => {
    const primary = await one(cluster.primary, 'primary')
    primary.freeze()
    await pause(LONGER_THAN_LEASE_MS)
    primary.thaw()
  },
  /** Every commit of the primary waits for the replica, until Patroni goes on without it. */
  'synchronous replica frozen': async ({ cluster }) => {
    const replica = await one(cluster.synchronous, 'synchronous replica')
    replica.freeze()
    await pause(LONGER_THAN_LEASE_MS)
    replica.thaw()
  },
  'synchronous replica killed': async ({ cluster }) => {
    const replica = await one(cluster.synchronous, 'synchronous replica')
    await replica.kill()
    await pause(WHILE_MS)
    replica.start()
  },
  'etcd member killed': async ({ cluster, chance }) => {
    const member = pick(chance, cluster.members)
    await member.kill()
    await pause(WHILE_MS)
    member.start()
  },
  /** Nobody can renew the leader lease, so the primary steps down. */
  'etcd without a majority': async ({ cluster }) => {
    const members = cluster.members.slice(1)
    for (const member of members) member.freeze()
    await pause(WHILE_MS)
    for (const member of members) member.thaw()
  },
  /** The copy's connections are neither answered nor refused. */
  'network of a copy cut': async ({ cluster, berths, chance }) => {
    const bouncer = pick(chance, cluster.bouncers.slice(0, berths.copies.length))
    bouncer.freeze()
    await pause(WHILE_MS)
    bouncer.thaw()
  },
  'copy killed': async ({ berths, chance }) => {
    const n = chance.below(berths.copies.length)
    await berths.kill(n)
    await pause(WHILE_MS / 4)
    await berths.revive(n)
  },
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[]
