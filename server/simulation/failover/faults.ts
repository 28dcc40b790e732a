import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from '../chance'
import type { DatabaseCluster } from './cluster'
import type { Crew } from './crew'

// What befalls the database and the copies of Berth, each with its way back. Each lasts longer than Patroni's lease of 20
// seconds where that is what it is about.

export interface Victims {
  readonly cluster: DatabaseCluster
  readonly crew: Crew
  readonly chance: Chance
}

type Fault = (victims: Victims) => Promise<void>

const LONGER_THAN_LEASE_MS = 32_000
const WHILE_MS = 12_000

/** Patroni takes a role from one machine some seconds before it gives it to another one. */
const WITHOUT_MS = 120_000
const ASKED_EVERY_MS = 500

/** The machine of that role, as soon as there is one. */
async function one<T>(find: () => Promise<T | null>, what: string): Promise<T> {
  for (let waited = 0; waited <= WITHOUT_MS; waited += ASKED_EVERY_MS) {
    const machine = await find()
    if (machine !== null) return machine
    await pause(ASKED_EVERY_MS)
  }
  throw new Error(`There is no ${what} for ${WITHOUT_MS / 1_000} seconds.`)
}

const pick = <T>(chance: Chance, of: readonly T[]): T => {
  const picked = chance.pick(of)
  if (picked === undefined) throw new Error('There is none to pick.')
  return picked
}

export const FAULTS = {
  /** Its machine loses power and comes back after another one leads. */
  'leader killed': async ({ cluster }) => {
    const leader = await one(cluster.leader, 'leader')
    await leader.kill()
    await pause(LONGER_THAN_LEASE_MS)
    leader.start()
  },
  /** It stands still beyond its lease and then goes on, as if it still led. */
  'leader frozen': async ({ cluster }) => {
    const leader = await one(cluster.leader, 'leader')
    leader.freeze()
    await pause(LONGER_THAN_LEASE_MS)
    leader.thaw()
  },
  /** The leader waits for it with every commit, until Patroni goes on without it. */
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
  /** Nobody knows who leads, so the leader steps down rather than go on alone. */
  'etcd without a majority': async ({ cluster }) => {
    const members = cluster.members.slice(1)
    for (const member of members) member.freeze()
    await pause(WHILE_MS)
    for (const member of members) member.thaw()
  },
  /** What it asks is neither answered nor refused. */
  'network of a copy cut': async ({ cluster, crew, chance }) => {
    const bouncer = pick(chance, cluster.bouncers.slice(0, crew.copies.length))
    bouncer.freeze()
    await pause(WHILE_MS)
    bouncer.thaw()
  },
  'copy killed': async ({ crew, chance }) => {
    const n = chance.below(crew.copies.length)
    await crew.kill(n)
    await pause(WHILE_MS / 4)
    await crew.revive(n)
  },
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[]
