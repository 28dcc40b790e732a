import { type ClaimPlan, decide } from '../engine/claim'
import { type DemandOptions, demandOf } from '../engine/demand'
import { withHolding } from '../engine/holdings'
import type { Host } from '../engine/host'
import type { ClaimId, InstanceId } from '../engine/words/ids'
import type { Refusal, RefusalKind } from '../engine/words/refusal'
import type { Workload } from './fleet-csv'
import { claimIdOf, instanceIdOf } from './host-spec'

// Finds a host for every workload of an imported fleet, with the engine's usual decision. An import does not know where
// its workloads ran, so each goes to the first host that fits; hosts are tried in order of their number of devices.

export interface PlacedWorkload {
  readonly workload: Workload
  readonly instance: InstanceId
  readonly claim: ClaimId
  readonly plan: ClaimPlan
}

export interface UnplacedWorkload {
  readonly workload: Workload
  /** How many hosts refused it by each rule; one host may refuse by several. */
  readonly hostsByRule: Readonly<Partial<Record<RefusalKind, number>>>
  /** The rule by which most hosts refuse it. */
  readonly rule: RefusalKind
}

export interface PlacementResult {
  readonly placed: readonly PlacedWorkload[]
  readonly unplaced: readonly UnplacedWorkload[]
}

export interface PlacingOptions {
  readonly demand: DemandOptions
  /** fill: fills each host before the next. spread: takes the hosts in turn. */
  readonly order: 'fill' | 'spread'
  /** Called at intervals with the number of workloads processed. */
  readonly progress?: (done: number) => void
}

/** Known about one flavor and image: a host that refused it still will, because hosts only fill up. */
interface Search {
  readonly refused: Set<number>
  exhausted: Omit<UnplacedWorkload, 'workload'> | null
}

interface SearchState {
  readonly fleet: Host[]
  readonly options: PlacingOptions
  /** Where the next search begins: always the first host (fill), or one further for each workload (spread). */
  cursor: number
}

const PROGRESS_EVERY = 500

export function placeWorkloads(
  workloads: readonly Workload[],
  hosts: readonly Host[],
  options: PlacingOptions,
): PlacementResult {
  const fleet = [...hosts].sort((a, b) => a.devices.length - b.devices.length || (a.name < b.name ? -1 : 1))
  const searching: SearchState = { fleet, options, cursor: 0 }
  const searches = new Map<string, Search>()
  const placed: PlacedWorkload[] = []
  const unplaced: UnplacedWorkload[] = []
  for (const [index, workload] of workloads.entries()) {
    const key = JSON.stringify([workload.flavor, workload.image])
    const search = searches.get(key) ?? { refused: new Set(), exhausted: null }
    searches.set(key, search)
    const result = place(workload, searching, search)
    if (options.order === 'spread') searching.cursor = (searching.cursor + 1) % Math.max(1, fleet.length)
    if ('plan' in result) placed.push(result)
    else unplaced.push(result)
    if ((index + 1) % PROGRESS_EVERY === 0) options.progress?.(index + 1)
  }
  return { placed, unplaced }
}

function place(workload: Workload, searching: SearchState, search: Search): PlacedWorkload | UnplacedWorkload {
  if (search.exhausted) return { workload, ...search.exhausted }
  const { fleet, options } = searching
  const result = demandOf(workload.flavor, workload.image, options.demand)
  if (!result.ok) {
    search.exhausted = summary([result.refusals])
    return { workload, ...search.exhausted }
  }
  const instance = instanceIdOf(workload.name)
  const askOn = (host: Host) =>
    decide({ demand: result.demand, instance, host, group: null, live: null, excludedHost: null })
  for (let offset = 0; offset < fleet.length; offset++) {
    const index = (searching.cursor + offset) % fleet.length
    if (search.refused.has(index)) continue
    const host = fleet[index] as Host
    const verdict = askOn(host)
    if (!verdict.ok) {
      search.refused.add(index)
      continue
    }
    const claim = claimIdOf(workload.name)
    const holding = { claim, consumer: instance, consumerKind: 'instance', instance, body: verdict.plan } as const
    fleet[index] = withRaisedRoot(withHolding(host, holding))
    return { workload, instance, claim, plan: verdict.plan }
  }
  const verdicts = fleet.map(askOn)
  search.exhausted = summary(verdicts.map((verdict) => (verdict.ok ? [] : verdict.refusals)))
  return { workload, ...search.exhausted }
}

/** The commit of a claim raises the root's generation, and the next plan relies on the new one. */
function withRaisedRoot(host: Host): Host {
  const [root, ...others] = host.providers
  return root ? { ...host, providers: [{ ...root, generation: root.generation + 1 }, ...others] } : host
}

function summary(refusalsPerHost: readonly (readonly Refusal[])[]): Omit<UnplacedWorkload, 'workload'> {
  const hostsByRule: Partial<Record<RefusalKind, number>> = {}
  for (const refusals of refusalsPerHost)
    for (const kind of new Set(refusals.map((refusal) => refusal.kind)))
      hostsByRule[kind] = (hostsByRule[kind] ?? 0) + 1
  const [rule] = (Object.entries(hostsByRule) as [RefusalKind, number][]).sort((a, b) => b[1] - a[1])[0] ?? ['no-host']
  return { hostsByRule, rule }
}
