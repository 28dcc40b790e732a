import { parseArgs } from 'node:util'
import { type APIRequestContext, request as requests } from '@playwright/test'
import { ask, tell } from '../doors'
import { ADMIN, signIn } from '../people'
import { whyNoRig } from './able'
import { importHost, type RealFleet, startFleet } from './fleet'
import { FAULTS, type Fault } from './injected'
import type { RigHost } from './rig-host'
import { agreement, strangerDefinitions } from './witness'

// npx tsx e2e/libvirt/faults.ts [--rounds 300] [--hosts 3] [--seed 1]: migrations on real hosts, each with a fault at one
// of its steps. After every round everything rests, and what `virsh` and the kernel say is held against Berth's records,
// claims and audit. Prints a line for each round and a table of all; exit code 1 when anything disagreed.

const OPERATIONS = ['live-migrate', 'cold-migrate', 'resize', 'evacuate'] as const
const STEPS = ['prepare', 'transfer', 'switch', 'verify', 'release'] as const
type Operation = (typeof OPERATIONS)[number]
type Step = (typeof STEPS)[number]

const ORDER: readonly string[] = ['claim', ...STEPS, 'ended']
const ENDS_WITHIN_MS = 180_000
const RESTS_WITHIN_MS = 120_000
const REASON = 'fault matrix'

interface Round {
  readonly operation: Operation
  readonly step: Step
  readonly fault: Fault
  readonly side: 'source' | 'target'
}

interface Row extends Round {
  /** The step that was under way when the fault came. */
  readonly at: string
  readonly outcome: string
  readonly seconds: number
  readonly disagreements: readonly string[]
}

interface Named {
  readonly id: string
  readonly name: string
}
interface Instance extends Named {
  readonly host: Named | null
  readonly power: { readonly state: string } | null
}
interface Migration {
  readonly step: string
  readonly outcome: string | null
  readonly waiting: { readonly for: string } | null
}

/** All cells of the matrix, in an order that the seed draws; then again. */
function* roundsOf(seed: number): Generator<Round> {
  const cells = OPERATIONS.flatMap((operation) =>
    STEPS.filter((step) => step !== 'verify' || (operation !== 'live-migrate' && operation !== 'evacuate')).flatMap(
      (step) =>
        FAULTS.flatMap((fault) =>
          (['source', 'target'] as const)
            .filter((side) => side === 'target' || (fault.name !== 'Berth killed' && operation !== 'evacuate'))
            .map((side) => ({ operation, step, fault, side })),
        ),
    ),
  )
  const chance = generator(seed)
  for (;;)
    yield* cells
      .map((cell) => ({ cell, at: chance() }))
      .sort((a, b) => a.at - b.at)
      .map(({ cell }) => cell)
}

/** Mulberry32: the same seed is the same run. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

async function until<T>(what: string, limitMs: number, look: () => Promise<T | null>): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const found = await look().catch(() => null)
    if (found !== null) return found
    if (performance.now() > end) throw new Error(`${what} did not come within ${limitMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

class Driven {
  constructor(
    private readonly fleet: RealFleet,
    private readonly door: APIRequestContext,
  ) {}

  private hosts = async () =>
    (await ask<{ rows: readonly (Named & { status: string; scheduling: string })[] }>(this.door, 'host.list', {})).rows
  private instances = async () => (await ask<{ rows: readonly Instance[] }>(this.door, 'instance.list', {})).rows
  private rig = (name: string | undefined) => this.fleet.rig.hosts.find((host) => host.name === name) as RigHost

  async prepare(guests: readonly string[]): Promise<void> {
    for (const host of this.fleet.rig.hosts) await importHost(host, ['--apply', '--migration', 'bandwidth=8'])
    for (const { id } of await this.hosts()) await tell(this.door, 'host.setScheduling', { id, scheduling: 'enabled' })
    for (const [name, memoryMib] of [
      ['rig.small', 48],
      ['rig.larger', 56],
    ] as const) {
      const extraSpecs = { 'hw:cpu_policy': 'dedicated', 'hw:numa_nodes': '2' }
      const after = { name, vcpus: 2, memoryMib, diskGib: 0, extraSpecs }
      await tell(this.door, 'catalog.setFlavor', { before: null, after, reason: REASON })
    }
    for (const name of guests) {
      const { instance } = await tell<{ instance: string }>(this.door, 'instance.build', {
        name,
        project: 'rig',
        flavor: 'rig.small',
        image: name,
      })
      await until(
        `${name}`,
        RESTS_WITHIN_MS,
        async () => (await this.instances()).find(({ id, host }) => id === instance && host) ?? null,
      )
    }
    await this.rest()
  }

  async play(round: Round, nth: number): Promise<Row> {
    const began = performance.now()
    const guests = await this.instances()
    const guest = guests[nth % guests.length] as Instance
    const others = (await this.hosts()).filter(({ id }) => id !== guest.host?.id)
    const target = others[nth % others.length] as Named
    const source = this.rig(guest.host?.name)
    if (round.operation === 'evacuate') {
      await source.down()
      await tell(this.door, 'host.setStatus', { id: guest.host?.id, status: 'fenced', reason: REASON })
    }
    const { flavor } = await ask<{ flavor: string }>(this.door, 'instance.byId', { id: guest.id })
    const resized = { flavor: flavor === 'rig.small' ? 'rig.larger' : 'rig.small' }
    const { migration: id } = await tell<{ migration: string }>(this.door, 'move.start', {
      ...{ instance: guest.id, operation: round.operation, host: target.id, reason: REASON },
      ...(round.operation === 'resize' && resized),
    })
    const seen = async () => ask<Migration>(this.door, 'migration.byId', { id })
    const at = await until('the step', ENDS_WITHIN_MS, async () => {
      const { step } = await seen()
      return ORDER.indexOf(step) >= ORDER.indexOf(round.step) ? step : null
    })
    const place = round.side === 'source' ? source : this.rig(target.name)
    await round.fault.strike({ host: place, server: this.fleet.server })
    const outcome = await until('the end', ENDS_WITHIN_MS, () => this.towardsEnd(id, nth)).catch(
      async (error: Error) => {
        const { step, waiting } = await seen()
        return `${error.message}: ${step}, waiting for ${waiting?.for}`
      },
    )
    const disagreements = await this.rest()
      .then(() => agreement(this.door, this.fleet))
      .catch((error: Error) => [error.message])
    return { ...round, at, outcome, seconds: Math.round((performance.now() - began) / 1000), disagreements }
  }

  /** Every other one that waits for a person is reverted. */
  private async towardsEnd(id: string, nth: number): Promise<string | null> {
    const { step, outcome, waiting } = await ask<Migration>(this.door, 'migration.byId', { id })
    if (outcome !== null && step === 'ended') return outcome
    const requestedAction = nth % 2 === 0 ? 'confirm' : 'revert'
    if (step === 'verify' && waiting?.for === 'person')
      await tell(this.door, 'migration.requestAction', { ids: [id], requestedAction, reason: REASON })
    return null
  }

  /** All hosts are up and clean, and every instance runs. */
  private async rest(): Promise<void> {
    for (const host of this.fleet.rig.hosts.filter((each) => !each.isUp())) await host.boot()
    await until('a clean fleet', RESTS_WITHIN_MS, async () => {
      const hosts = await this.hosts()
      for (const { id, status } of hosts)
        if (status !== 'up') await tell(this.door, 'host.setStatus', { id, status: 'up' })
      return hosts.every(({ status, scheduling }) => status === 'up' && scheduling === 'enabled') || null
    })
    await until('guests that run', RESTS_WITHIN_MS, async () => {
      await tell(this.door, 'finding.audit', {})
      const off = (await this.instances()).filter(({ power }) => power?.state === 'shutdown').map(({ id }) => id)
      if (off.length > 0) await tell(this.door, 'power.request', { ids: off, action: 'start', reason: REASON })
      return (await this.instances()).every(({ power }) => power?.state === 'running') || null
    })
  }
}

function tableOf(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const key = ({ operation, step, fault }: Row) => `${operation} ${step} ${fault.name}`
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row])
  const outcomes = (group: readonly Row[]) =>
    [...new Set(group.map(({ outcome, side }) => `${outcome} (${side})`))].sort().join(', ')
  const body = [...groups.values()].map((group) => {
    const [{ operation, step, fault }] = group as [Row]
    const wrong = group.flatMap(({ disagreements }) => disagreements)
    return line([operation, step, fault.name, outcomes(group), wrong.length === 0 ? 'none' : wrong.join('; ')])
  })
  const head = ['operation', 'step', 'fault', 'result (side of the fault)', 'disagreements']
  return [line(head), line(head.map(() => '---')), ...body.sort()].join('\n')
}

async function main(): Promise<number> {
  const why = whyNoRig()
  if (why !== null) {
    console.log(`skipped: ${why}`)
    return 0
  }
  const options = { rounds: { type: 'string' }, hosts: { type: 'string' }, seed: { type: 'string' } } as const
  const { values } = parseArgs({ options })
  const { rounds = '300', hosts = '3', seed = '1' } = values
  const guests = Array.from({ length: Number(hosts) - 1 }, (_, nth) => `web-${nth + 1}`)
  const fleet = await startFleet(Number(hosts), guests)
  const door = await requests.newContext({ baseURL: fleet.server.origin })
  const rows: Row[] = []
  let touched = true
  try {
    await signIn(door, ADMIN)
    const driven = new Driven(fleet, door)
    await driven.prepare(guests)
    const strangers = await strangerDefinitions(fleet)
    for (const round of roundsOf(Number(seed))) {
      if (rows.length === Number(rounds)) break
      const row = await driven.play(round, rows.length)
      rows.push(row)
      const { operation, step, side, at, outcome, seconds, disagreements } = row
      console.log(
        rows.length,
        operation,
        `${step}/${at}`,
        row.fault.name,
        side,
        outcome,
        `${seconds} s`,
        ...disagreements,
      )
    }
    touched = JSON.stringify(await strangerDefinitions(fleet)) !== JSON.stringify(strangers)
    console.log(touched ? 'domains of others were changed' : 'domains of others are as they were')
  } finally {
    console.log(tableOf(rows))
    await door.dispose()
    await fleet.end()
  }
  return !touched && rows.every(({ disagreements }) => disagreements.length === 0) ? 0 : 1
}

process.exitCode = await main()
