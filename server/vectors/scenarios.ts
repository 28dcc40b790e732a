import { ScriptedScenario } from '../simulation/scripted-scenario'
import { applyTraceStep, type Replay } from './scenario-actions'
import { differenceIn, withKnownDifferences } from './scenario-compare'
import { flavorsOf, hostsOf, TRACE_DEMAND } from './scenario-fleet'
import type { Trace, TraceState } from './scenario-trace'
import { traceStateOf } from './scenario-view'
import { inOurUnits, type VectorCase, type Verdict } from './vector-file'

// Whole-system traces of a real Nova. The same steps through Berth's state machine, ticks and claims must give the same
// statuses, hosts, holders and amounts after every step. The chosen CPUs of a NUMA node may differ.

export function replayScenario(vector: VectorCase): Verdict {
  const trace = withoutDeleted(inOurUnits(vector) as unknown as Trace)
  const hosts = hostsOf(trace)
  const replay: Replay = {
    scenario: new ScriptedScenario({ hosts: [...hosts.values()], ticks: { demand: TRACE_DEMAND } }),
    servers: new Map(),
    names: new Map(),
    refused: new Set(),
    hosts: new Map([...hosts].map(([name, host]) => [name, host.id])),
    flavors: flavorsOf(trace),
  }
  for (const [index, step] of trace.steps.entries()) {
    const before = trace.steps[index - 1]?.state ?? null
    applyTraceStep(replay, step, before)
    const ours = traceStateOf(replay)
    // Berth's audit found nothing after any effect, so Nova's own audit must leave the same records.
    for (const expected of [step.state, step.afterAudit ?? step.state]) {
      const difference = differenceIn(withKnownDifferences(expected, ours), ours, replay.refused)
      if (difference !== null) return `after "${step.step}": ${difference}`
    }
  }
  return null
}

/** A server that Nova still lists as deleted counts as absent. */
function withoutDeleted(trace: Trace): Trace {
  const left = (state: TraceState): TraceState => {
    const servers = Object.entries(state.servers).filter(([, { vmState }]) => !GONE.includes(vmState))
    return { ...state, servers: Object.fromEntries(servers) }
  }
  const steps = trace.steps.map((step) => ({
    ...step,
    state: left(step.state),
    afterAudit: step.afterAudit && left(step.afterAudit),
  }))
  return { ...trace, steps }
}

const GONE: readonly string[] = ['deleted', 'soft-delete']
