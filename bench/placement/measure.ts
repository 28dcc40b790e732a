import { pathToFileURL } from 'node:url'
import { cpuMsOf } from '../cpu-time'
import { startProductionBerth } from '../production-berth'
import { type Load, loadOf, PlacementLoad } from './load'

// npx tsx bench/placement/measure.ts [--against URL --pids 12,34] [--requests 1000] [--peer-requests 200]
// The cost of a Placement API request: CPU time of server and database, compared with a real Placement if its address
// and process ids are given. The phases alternate between the two on the same machine.

export interface PlacementRow {
  readonly name: string
  readonly berth: Cost
  /** Null without a real Placement. */
  readonly peer: Cost | null
}

export interface Cost {
  readonly cpuMs: number
  readonly perS: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface PlacementBenchOptions {
  /** Requests per phase. */
  readonly requests: number
  /** A real Placement that accepts the token `admin`, with the process ids of it and its database. */
  readonly peer: (Service & { readonly requests: number }) | null
}

interface Service {
  readonly url: string
  readonly pids: readonly number[]
}

/** Times cheaper than a real Placement. */
export const PLACEMENT_GOAL = 20
const PROVIDERS = 300
const WARM_REQUESTS = 400 // before the first measurement, because code is compiled on first use

export async function benchPlacement({ requests, peer }: PlacementBenchOptions): Promise<PlacementRow[]> {
  const berth = await startProductionBerth()
  try {
    const costs = await costsOf([
      { url: berth.placement, pids: berth.pids, requests, warm: WARM_REQUESTS },
      ...(peer ? [{ ...peer, warm: Math.min(WARM_REQUESTS, peer.requests) }] : []),
    ])
    const [ours = [], theirs] = costs
    return ours.map(({ name, cost }, at) => ({ name, berth: cost, peer: theirs?.[at]?.cost ?? null }))
  } finally {
    await berth.stop()
  }
}

interface NamedCost {
  readonly name: string
  readonly cost: Cost
}

type Target = Service & { readonly requests: number; readonly warm: number }

/** Costs of each service, by phase. */
async function costsOf(targets: readonly Target[]): Promise<NamedCost[][]> {
  const loads = targets.map(({ url }) => new PlacementLoad(url))
  try {
    for (const load of loads) await load.makeProviders(PROVIDERS)
    const costs = targets.map((): NamedCost[] => [])
    for (const phase of loads[0]?.phases().keys() ?? []) {
      for (const [at, { requests, warm, pids }] of targets.entries()) {
        const { name, run } = loads[at]?.phases()[phase] ?? {}
        if (!name || !run) throw new Error('the services have different phases')
        await run(warm, async (clients, many, send) => void (await loadOf(clients, many, send)))
        await run(requests, async (clients, many, send) => {
          const before = cpuMsOf(pids)
          const load = await loadOf(clients, many, send)
          costs[at]?.push({ name, cost: costOf(load, cpuMsOf(pids) - before) })
        })
      }
    }
    return costs
  } finally {
    for (const load of loads) load.close()
  }
}

function costOf({ requests, latencies, elapsedMs }: Load, cpuMs: number): Cost {
  const at = (part: number) => latencies[Math.min(requests - 1, Math.ceil(requests * part) - 1)] ?? 0
  return { cpuMs: cpuMs / requests, perS: (requests * 1000) / elapsedMs, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** Null without a real Placement. */
export function peerFrom(argv: readonly string[]): PlacementBenchOptions['peer'] {
  const url = wordAfter(argv, '--against')
  if (url === null) return null
  const pids = (wordAfter(argv, '--pids') ?? '').split(',').map(Number)
  if (!pids.every((pid) => Number.isInteger(pid) && pid > 0)) {
    throw new Error(
      '--pids must name the processes of the Placement and of its database: --pids 12,34. Nothing was measured.',
    )
  }
  return { url, pids, requests: Number(wordAfter(argv, '--peer-requests') ?? 200) }
}

function wordAfter(argv: readonly string[], name: string): string | null {
  const at = argv.indexOf(name)
  return at < 0 ? null : (argv[at + 1] ?? null)
}

function line({ name, berth, peer }: PlacementRow): string {
  const costText = ({ cpuMs, perS, p50Ms, p99Ms }: Cost) =>
    [cpuMs.toFixed(3), perS.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1)].map((text) => text.padStart(8)).join(' ')
  const ratio = peer === null ? '' : (peer.cpuMs / berth.cpuMs).toFixed(1).padStart(7)
  const reached = peer === null ? '' : peer.cpuMs / berth.cpuMs >= PLACEMENT_GOAL ? 'reached' : 'missed'
  return [name.padEnd(36), costText(berth), peer ? costText(peer) : '', ratio, reached].join('  ').trimEnd()
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const peer = peerFrom(process.argv)
  const rows = await benchPlacement({ requests: Number(wordAfter(process.argv, '--requests') ?? 1_000), peer })
  const columns = '  CPU ms      /s   p50 ms   p99 ms'
  const header = ['', columns, peer ? `${columns}   ratio  (goal ≥ ${PLACEMENT_GOAL})` : '']
  console.log([(header[0] as string).padEnd(36), ...header.slice(1)].join('  ').trimEnd())
  for (const row of rows) console.log(line(row))
}
