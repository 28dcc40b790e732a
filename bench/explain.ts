import { pathToFileURL } from 'node:url'
import { explain } from '../server/engine/claim'
import { demandOf } from '../server/engine/demand'
import { funnelOf } from '../server/engine/explain/funnel'
import { largestOf } from '../server/engine/explain/largest'
import { nearestFix } from '../server/engine/explain/nearest-fix'
import { summaryOf } from '../server/engine/explain/refusal-summary'
import { changesNeeded, remedyFor } from '../server/engine/explain/remedy'
import { preparedOf } from '../server/engine/topology/numa'
import { IMAGE } from './bench-fleet'
import { demandFor, fleet, pinned } from './drain'

// How long "no valid host" takes (S11) on 500 hosts: every verdict, the funnel, the order by changes, the summary, the
// largest shape that still fits and the nearest fix for the first sixty hosts that refuse, as the page requests them.
// Engine only; the page adds names and JSON.
//
//   npx tsx bench/explain.ts [HOSTS [INSTANCES_OF_EACH]]

export interface ExplainRow {
  readonly name: string
  readonly ms: number
  readonly refused: number
}

const FIXES = 60 // as many as the page requests at once
const BUDGET = 400 // decisions per axis, as on the page

export async function benchExplain(size = { hosts: 500, instances: 40 }): Promise<readonly ExplainRow[]> {
  const { hosts, instances } = fleet(size)
  const of = `${hosts.length} hosts, ${instances.length} instances`
  return [1, 24, 96, 300].map((vcpus) => {
    const begun = performance.now()
    const refused = ask(hosts, vcpus)
    return { name: `${vcpus} pinned vCPUs on ${of}`, ms: performance.now() - begun, refused }
  })
}

function ask(hosts: ReturnType<typeof fleet>['hosts'], vcpus: number): number {
  const flavor = pinned(vcpus)
  const question = { demand: demandFor(flavor), instance: null, group: null, live: null, excludedHost: null }
  const refusals = explain(question, hosts).flatMap(({ host, verdict }) =>
    verdict.ok ? [] : [{ host, refusals: verdict.refusals, kinds: verdict.refusals.map(({ kind }) => kind) }],
  )
  funnelOf(refusals.map(({ kinds: reasons }) => ({ reasons })))
  const remedies = refusals.map(({ host, refusals: refused }) => {
    const asked = { ...question, host, prepared: preparedOf(host) }
    return { host: host.id, refusals: refused, remedy: remedyFor(asked, refused) }
  })
  remedies.sort((a, b) => changesNeeded(a.remedy) - changesNeeded(b.remedy))
  summaryOf(remedies)
  const demandAt = (size: number) => {
    const answer = demandOf({ ...flavor, vcpus: size }, IMAGE)
    return answer.ok ? answer.demand : null
  }
  largestOf({ from: 1, to: 256, step: 1, by: 'PCPU', demandAt }, { question, hosts, budget: BUDGET })
  for (const { host } of refusals.slice(0, FIXES)) nearestFix({ ...question, host })
  return refusals.length
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [hosts = 500, instances = 40] = process.argv.slice(2).map(Number)
  for (const { name, ms, refused } of await benchExplain({ hosts, instances })) {
    console.log(`${name.padEnd(50)} ${ms.toFixed(0).padStart(6)} ms  ${refused} refuse`)
  }
}
