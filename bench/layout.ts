import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { hostFrom, withHolding } from '../server/engine/holdings'
import type { Host } from '../server/engine/host'
import { marksOf } from '../server/engine/layout/dry-run'
import { demoFleet } from '../server/import/demo-fleet'
import { placeWorkloads } from '../server/import/placing'
import { childId } from '../server/store/layout/ids'

// How long the dry run of a rollout takes (S9): plans every host of the demo fleet, with all rows of its change.

export interface LayoutBenchRow {
  readonly name: string
  readonly ms: number
  readonly planned: number
  readonly blocked: number
}

export function benchLayout({ hosts, instances } = { hosts: 500, instances: 20_000 }): LayoutBenchRow {
  const fleet = heldFleet(hosts, instances)
  const begun = performance.now()
  const marks = marksOf(fleet, new Map(), childId)
  const ms = performance.now() - begun
  const planned = marks.filter(({ state }) => state === 'planned').length
  return { name: `dry run of ${hosts} hosts, ${instances} instances`, ms, planned, blocked: marks.length - planned }
}

function heldFleet(count: number, instances: number): readonly Host[] {
  const { hosts, workloads, aliases } = demoFleet(count, instances)
  const bare = hosts.map(({ frame, ...parts }) => hostFrom(frame, { ...parts, leftovers: [] }, []))
  const { placed } = placeWorkloads(workloads, bare, { demand: { aliases }, order: 'spread' })
  const held = new Map(bare.map((host) => [host.id, host]))
  for (const { instance, claim, plan } of placed) {
    const { amounts, cells, units } = plan
    const body = { amounts, cells, units }
    const holding = { claim, consumer: instance, consumerKind: 'instance', instance, body } as const
    held.set(plan.host, withHolding(held.get(plan.host)!, holding))
  }
  return [...held.values()]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(benchLayout())
