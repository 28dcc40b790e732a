import fs from 'node:fs'
import { parseArgs } from 'node:util'
import { seeded } from '../../server/engine/testing/seeded'
import { ENDS_WITHIN_MS, type Instance, type NamedRef, RestingFleet, until } from './fault-fleet'
import { FAULTS } from './injected'
import { whyNoRig } from './prerequisites'

// npx tsx e2e/libvirt/faults.ts [--rounds 20] [--operation resize] [--disks] [--record FILE] [--hosts 3] [--seed 1]:
// migrations on real hosts, each with a fault during one of its steps. After every round it waits until nothing is in
// progress, then compares `virsh` and the kernel with Berth's records, claims and audit. Prints a line per round and a
// table of all rounds. Continues where the record file ends. With `--disks` every instance has a disk on its host, and
// live migrations copy it. Exits with 1 if anything disagreed.

const OPERATIONS = ['live-migrate', 'cold-migrate', 'resize', 'evacuate'] as const
const STEPS = ['prepare', 'transfer', 'switch', 'verify', 'release'] as const
type Operation = (typeof OPERATIONS)[number]
type Step = (typeof STEPS)[number]

const ORDER: readonly string[] = ['claim', ...STEPS, 'ended']

interface Round {
  readonly operation: Operation
  readonly step: Step
  readonly fault: string
  readonly side: 'source' | 'target'
}

interface Row extends Round {
  /** The step that was in progress when the fault was injected. */
  readonly at: string
  readonly outcome: string
  readonly seconds: number
  readonly disagreements: readonly string[]
}

/** All combinations, in an order that depends on the seed. */
function roundsOf(seed: number): readonly Round[] {
  const chance = seeded(seed)
  return OPERATIONS.flatMap((operation) =>
    STEPS.filter((step) => step !== 'verify' || (operation !== 'live-migrate' && operation !== 'evacuate')).flatMap(
      (step) =>
        FAULTS.flatMap(({ name: fault }) =>
          (['source', 'target'] as const)
            .filter((side) => side === 'target' || (fault !== 'Berth killed' && operation !== 'evacuate'))
            .map((side) => ({ operation, step, fault, side })),
        ),
    ),
  )
    .map((cell) => ({ cell, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ cell }) => cell)
}

async function play(resting: RestingFleet, round: Round, nth: number): Promise<Row> {
  const { operation, step, side } = round
  const began = performance.now()
  const instances = await resting.instances()
  const instance = instances[nth % instances.length] as Instance
  const others = (await resting.hosts()).filter(({ id }) => id !== instance.host?.id)
  const target = others[nth % others.length] as NamedRef
  if (operation === 'evacuate') await resting.fence(instance.host as NamedRef)
  const id = await resting.startMigration({ instance: instance.id, operation, target: target.id })
  const requestedAction = nth % 2 === 0 ? 'confirm' : 'revert'
  const at = await until('the step', ENDS_WITHIN_MS, async () => {
    const now = step === 'release' ? await resting.carry(id, requestedAction) : await resting.migration(id)
    return ORDER.indexOf(now.step) >= ORDER.indexOf(step) ? now.step : null
  })
  const host = resting.machine(side === 'source' ? instance.host?.name : target.name)
  await FAULTS.find(({ name }) => name === round.fault)?.inject({ host, server: resting.fleet.server })
  const outcome = await resting.endOf(id, requestedAction)
  const disagreements = await resting.disagreements()
  return { ...round, at, outcome, seconds: Math.round((performance.now() - began) / 1000), disagreements }
}

/** Notes the actual step, because some steps end before the fault can be injected. */
const resultOf = ({ outcome, side, step, at }: Row) => `${outcome} (${side}${at === step ? '' : `, came at ${at}`})`

function tableOf(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const key = ({ operation, step, fault }: Row) => `${operation} ${step} ${fault}`
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row])
  const outcomes = (group: readonly Row[]) => [...new Set(group.map(resultOf))].sort().join(', ')
  const body = [...groups.values()].map((group) => {
    const [{ operation, step, fault }] = group as [Row]
    const wrong = group.flatMap(({ disagreements }) => disagreements)
    return line([operation, step, fault, outcomes(group), wrong.length === 0 ? 'none' : wrong.join('; ')])
  })
  const head = ['operation', 'step', 'fault', 'result (side of the fault)', 'disagreements']
  return [line(head), line(head.map(() => '---')), ...body.sort()].join('\n')
}

const recorded = (file: string | undefined): readonly Row[] =>
  file && fs.existsSync(file)
    ? fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []

async function main(): Promise<number> {
  const why = whyNoRig()
  if (why !== null) {
    console.log(`skipped: ${why}`)
    return 0
  }
  const text = { type: 'string' } as const
  const options = {
    rounds: text,
    operation: text,
    record: text,
    hosts: text,
    seed: text,
    disks: { type: 'boolean' },
  } as const
  const {
    rounds = 'Infinity',
    operation,
    record,
    hosts = '3',
    seed = '1',
    disks = false,
  } = parseArgs({ options }).values
  const played = disks ? 'live-migrate' : operation // a disk on one host can be copied only by a live migration
  const earlier = recorded(record)
  const isBefore = (cell: Round) =>
    earlier.some((row) => (['operation', 'step', 'fault', 'side'] as const).every((part) => row[part] === cell[part]))
  const cells = roundsOf(Number(seed)).filter((cell) => !isBefore(cell) && (cell.operation === played || !played))
  const instances = Array.from({ length: Number(hosts) - 1 }, (_, nth) => `web-${nth + 1}`)
  const resting = await RestingFleet.start(Number(hosts), instances, disks ? 'withDisk' : 'bare')
  const rows = [...earlier]
  try {
    for (const cell of cells.slice(0, Number(rounds))) {
      const row = await play(resting, cell, rows.length)
      rows.push(row)
      if (record) fs.appendFileSync(record, `${JSON.stringify(row)}\n`)
      const { step, side, at, fault, outcome, seconds, disagreements } = row
      console.log(rows.length, row.operation, `${step}/${at}`, fault, side, outcome, `${seconds} s`, ...disagreements)
    }
  } finally {
    console.log(tableOf(rows))
    await resting.end()
  }
  return rows.every(({ disagreements }) => disagreements.length === 0) ? 0 : 1
}

process.exitCode = await main()
