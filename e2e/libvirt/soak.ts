import { parseArgs } from 'node:util'
import { seeded } from '../../server/engine/testing/seeded'
import { type NamedRef, RestingFleet } from './fault-fleet'
import { FAULTS } from './injected'
import { whyNoRig } from './prerequisites'

// npx tsx e2e/libvirt/soak.ts [--migrations 300] [--instances 4] [--hosts 3] [--seed 1]: all instances migrate at once,
// repeatedly, with a fault on one host at some point. After every round it waits until nothing is in progress, then
// compares `virsh` with Berth's records, claims and audit. Exits with 1 if they ever differ.

const OPERATIONS = ['live-migrate', 'live-migrate', 'cold-migrate', 'resize'] as const
const FAULT_WITHIN_MS = 6_000
const EVACUATE_EVERY = 5 // rounds

interface RoundResult {
  readonly outcomes: readonly string[]
  readonly fault: string
  readonly disagreements: readonly string[]
}

async function playRound(resting: RestingFleet, nth: number, chance: () => number): Promise<RoundResult> {
  const pick = <T>(from: readonly T[]) => from[Math.floor(chance() * from.length)] as T
  const instances = await resting.instances()
  const hosts = await resting.hosts()
  const dead = nth % EVACUATE_EVERY === EVACUATE_EVERY - 1 ? (pick(instances).host as NamedRef) : null
  if (dead) await resting.fence(dead)
  const plans = instances.map((instance) => ({
    instance: instance.id,
    operation: instance.host?.id === dead?.id ? 'evacuate' : pick(OPERATIONS),
    target: pick(hosts.filter(({ id }) => id !== instance.host?.id && id !== dead?.id)).id,
  }))
  const [fault, faulty, delayMs] = [pick(FAULTS), pick(hosts), chance() * FAULT_WITHIN_MS]
  // A migration is refused if its target has become full.
  const started = await Promise.allSettled(plans.map((plan) => resting.startMigration(plan)))
  const injected = new Promise((resolve) => setTimeout(resolve, delayMs)).then(() =>
    fault.inject({ host: resting.machine(faulty.name), server: resting.fleet.server }),
  )
  const ends = started.map((start, at) =>
    start.status === 'fulfilled' ? resting.endOf(start.value, at % 2 === 0 ? 'confirm' : 'revert') : 'refused',
  )
  const [outcomes] = await Promise.all([Promise.all(ends), injected])
  const disagreements = await resting.disagreements()
  return { outcomes, fault: `${fault.name} (${faulty.name}${dead ? `; ${dead.name} evacuated` : ''})`, disagreements }
}

const tallied = (outcomes: readonly string[]) =>
  [...new Set(outcomes)].map((outcome) => `${outcomes.filter((each) => each === outcome).length} ${outcome}`).join(', ')

async function main(): Promise<number> {
  const why = whyNoRig()
  if (why !== null) {
    console.log(`skipped: ${why}`)
    return 0
  }
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { migrations: text, instances: text, hosts: text, seed: text } })
  const { migrations = '300', instances = '4', hosts = '3', seed = '1' } = values
  const chance = seeded(Number(seed))
  const names = Array.from({ length: Number(instances) }, (_, nth) => `web-${nth + 1}`)
  const resting = await RestingFleet.start(Number(hosts), names)
  const all: string[] = []
  let rounds = 0
  let wrong = 0
  try {
    while (all.length < Number(migrations)) {
      const began = performance.now()
      const { outcomes, fault, disagreements } = await playRound(resting, rounds++, chance)
      all.push(...outcomes.filter((outcome) => outcome !== 'refused'))
      wrong += disagreements.length
      const seconds = Math.round((performance.now() - began) / 1000)
      console.log(rounds, all.length, fault, tallied(outcomes), `${seconds} s`, ...disagreements)
    }
    console.log(`${all.length} migrations in ${rounds} rounds: ${tallied(all)}; disagreements: ${wrong}`)
  } finally {
    await resting.end()
  }
  return wrong === 0 ? 0 : 1
}

process.exitCode = await main()
