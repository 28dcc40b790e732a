import { runInSlices } from '../../audit/event-loop'
import { type FixStep as EngineStep, type Fix, nearestFix } from '../../engine/explain/nearest-fix'
import type { Remedy } from '../../engine/explain/remedy'
import type { Host } from '../../engine/host'
import type { Interruptible } from '../../engine/interruptible'
import { preparedOf } from '../../engine/topology/numa'
import type { RefusalKind } from '../../engine/words/refusal'
import { type ClaimTotals, totalsOf } from '../claim/view'
import type { Names, Ref } from '../names/names'
import { namesOf } from '../names/read'
import { yieldUnlessAborted } from '../procedure/yield'
import type { ApiServices } from '../services'
import type { ExplainRequest } from './question'

export type FixStep =
  | { readonly do: 'enable' | 'mark-up' | 'clean' }
  | { readonly do: 'add-aggregate' | 'remove-aggregate' | 'add-trait' | 'remove-trait'; readonly name: string }
  | { readonly do: 'move-away'; readonly instance: Ref; readonly held: ClaimTotals }
  | { readonly do: 'end-move'; readonly migration: string; readonly instance: Ref; readonly held: ClaimTotals }

/**
 * The smallest change of the host after which the decision that refuses would accept. none: even the host without any
 * instance would refuse.
 */
export type FixView =
  | { readonly is: 'found'; readonly steps: readonly FixStep[] }
  | { readonly is: 'none'; readonly because: RefusalKind }

/** The nearest fix of each refusing host; hosts where it fits are omitted. */
export async function fixesOf(
  services: ApiServices,
  { question, hosts, signal }: ExplainRequest,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FixView>> {
  const wanted = new Set(ids)
  const parts = nearestFixes(
    question,
    hosts.filter(({ id }) => wanted.has(id)),
  )
  const fixes = await runInSlices(parts, () => yieldUnlessAborted(signal))
  const names = await namesOf(
    services,
    fixes.flatMap(([, fix]) => instancesIn(fix)),
  )
  return new Map(fixes.map(([host, fix]) => [host, fixView(fix, names)]))
}

/** The fix of a host without moving instances; null when an instance must leave, or when it fits. */
export function knownFix(remedy: Remedy | null): FixView | null {
  if (remedy?.kind === 'repairs') return { is: 'found', steps: remedy.repairs }
  return remedy?.kind === 'unfixable' ? { is: 'none', because: remedy.because } : null
}

/** Yields after each host, because a fix takes several decisions. */
function* nearestFixes(
  question: ExplainRequest['question'],
  hosts: readonly Host[],
): Interruptible<readonly (readonly [string, Fix])[]> {
  const fixes: (readonly [string, Fix])[] = []
  for (const host of hosts) {
    const fix = nearestFix({ ...question, host, prepared: preparedOf(host) })
    if (fix) fixes.push([host.id, fix])
    yield
  }
  return fixes
}

function instancesIn(fix: Fix): string[] {
  if (fix.is === 'none') return []
  return fix.steps.flatMap((step) => ('holding' in step ? [step.holding.instance] : []))
}

function fixView(fix: Fix, names: Names): FixView {
  return fix.is === 'none' ? fix : { is: 'found', steps: fix.steps.map((step) => stepView(step, names)) }
}

function stepView(step: EngineStep, names: Names): FixStep {
  if (!('holding' in step)) return step
  const { instance, body } = step.holding
  const about = { instance: names.instance(instance), held: totalsOf(body) }
  return step.do === 'end-move'
    ? { do: 'end-move', migration: step.migration, ...about }
    : { do: 'move-away', ...about }
}
