import type { CopyOf } from '../../drivers/simulated/driver'
import type { Snapshot } from '../../engine/audit'
import type { Instance } from '../../engine/change'
import type { Migration } from '../../engine/migration/state'
import { openRequest } from '../../engine/power/request'
import { powerMismatch } from '../../engine/power/state'
import type { HostId, InstanceId } from '../../engine/words/ids'
import type { PowerFixture } from './run'

// What must hold after every survey of a run, judged by the actual state of the simulated hypervisors.

export interface LawViolation {
  readonly law: string
  readonly what: string
}

/** The actual state of the domain: `running` and `paused` have memory, everything else is off. */
export type ActualState = 'running' | 'paused' | 'off'

export function actualStateOf(copies: readonly CopyOf[], instance: InstanceId, host: HostId): ActualState {
  const here = copies.filter((copy) => copy.instance === instance && copy.host === host && copy.is === 'running')
  if (here.length === 0) return 'off'
  return here.some((copy) => !copy.paused) ? 'running' : 'paused'
}

const EXPECTED: { readonly [V in Instance['vmState']]?: ActualState } = {
  active: 'running',
  paused: 'paused',
  stopped: 'off',
}

const FOUND_BY: ReadonlySet<string> = new Set([
  'instance-shut-down',
  'instance-crashed',
  'instance-paused',
  'instance-runs-while-paused',
  'instance-runs-while-stopped',
  'instance-nowhere',
  'instance-runs-elsewhere',
])

/**
 * No instance that is off is shown as running. On hosts that answer, the audit finds every instance in another state
 * than recorded, and no other.
 */
export async function atSurvey(
  fixture: PowerFixture,
): Promise<{ readonly off: number; readonly broken: LawViolation | null }> {
  const [snapshot, findings, copies] = await Promise.all([
    fixture.snapshot(),
    fixture.audited(),
    fixture.fleet.everyCopy(),
  ])
  const found = new Map<InstanceId, string>()
  for (const { kind, instance } of findings) if (instance !== null && FOUND_BY.has(kind)) found.set(instance, kind)
  const answering = new Set<HostId>()
  for (const host of fixture.hosts) if ((await fixture.fleet.status(host)).power === 'running') answering.add(host)
  let off = 0
  for (const row of snapshot.instances) {
    if (row.host === null) continue
    const is = actualStateOf(copies, row.id, row.host)
    if (row.power?.state === 'running' && is !== 'running')
      return { off, broken: wrong(row, 'no instance that is off is shown as running', is) }
    if (!answering.has(row.host) || isBetween(snapshot, row)) continue
    const differs = EXPECTED[row.vmState] !== undefined && EXPECTED[row.vmState] !== is
    if (differs && row.vmState === 'active') off += 1
    if (differs && !found.has(row.id)) return { off, broken: wrong(row, 'every wrong power state is found', is) }
    if (!differs && found.has(row.id)) {
      return { off, broken: wrong(row, `no finding is false (${found.get(row.id)})`, is) }
    }
  }
  return { off, broken: null }
}

function wrong(row: Instance, law: string, is: ActualState): LawViolation {
  return {
    law,
    what: `${row.name} on ${row.host}: recorded as ${row.vmState}, shown as ${row.power?.state}, actually ${is}`,
  }
}

/** Whether the audit waits: the domain may be on either side, or its power is being changed. */
function isBetween({ migrations }: Snapshot, row: Instance): boolean {
  const migration: Migration | undefined = migrations.find((each) => each.instance === row.id && each.step !== 'ended')
  return openRequest(row) !== null || migration?.step === 'transfer' || migration?.step === 'switch'
}

/** At the end hypervisors and records agree on every instance, and there is no copy on another host. */
export function disagreement(snapshot: Snapshot, copies: readonly CopyOf[]): LawViolation | null {
  for (const row of snapshot.instances) {
    if (row.host === null) continue
    const is = actualStateOf(copies, row.id, row.host)
    if (is !== EXPECTED[row.vmState]) return wrong(row, 'records match the hypervisors at the end', is)
    if (row.power && powerMismatch(row.vmState, row.power.state) !== null) {
      return wrong(row, 'shown power states match the records at the end', is)
    }
    const stray = copies.find((copy) => copy.instance === row.id && copy.host !== row.host)
    if (stray !== undefined) return { law: 'no copy remains on another host', what: `${row.name} on ${stray.host}` }
  }
  return null
}
