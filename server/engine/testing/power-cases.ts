import type { FindingKind } from '../audit/finding'
import type { HostSurveys, Snapshot, SurveyedDomain, SurveyResult } from '../audit/snapshot'
import type { Power } from '../power/state'
import type { HostId } from '../words/ids'
import { hostId, smallHost } from './hosts'

// Snapshots in which power and records differ, derived from one in which the first instance is at rest on its host.

type PowerKind = Extract<
  FindingKind,
  | 'instance-shut-down'
  | 'instance-crashed'
  | 'instance-paused'
  | 'instance-runs-while-paused'
  | 'instance-runs-while-stopped'
  | 'instance-runs-while-shelved'
  | 'domain-leftover'
>

export function powerCases(resting: Snapshot, at: number): Readonly<Record<PowerKind, Snapshot>> {
  const [row, ...others] = resting.instances
  const [home, ...hosts] = resting.hosts
  if (row === undefined || home === undefined) throw new Error('Nothing rests here.')
  const domain = (power: Power): SurveyedDomain => {
    const observedState = power.state === 'running' || power.state === 'paused' ? 'running' : 'stopped'
    return { instance: row.id, observedState, power, migration: null, body: null }
  }
  const both = (host: HostId, power: Power): HostSurveys => {
    const survey: SurveyResult = { at, answered: true, domains: [domain(power)], devices: null }
    return { host, latest: survey, earlier: { ...survey, at: at - 60_000 } }
  }
  const seen = (power: Power): Snapshot => ({ ...resting, hostSurveys: [both(home.id, power)] })
  const running: Power = { state: 'running', reason: null }
  const migrated: Power = { state: 'shutdown', reason: 'migrated' }
  return {
    'instance-shut-down': seen({ state: 'shutdown', reason: 'destroyed' }),
    'instance-crashed': seen({ state: 'crashed', reason: 'crashed' }),
    'instance-paused': seen({ state: 'paused', reason: 'I/O error' }),
    'instance-runs-while-paused': { ...seen(running), instances: [{ ...row, vmState: 'paused' }, ...others] },
    'instance-runs-while-stopped': { ...seen(running), instances: [{ ...row, vmState: 'stopped' }, ...others] },
    'instance-runs-while-shelved': {
      ...seen(running),
      hosts: [smallHost(), ...hosts],
      instances: [{ ...row, host: null, vmState: 'shelved' }, ...others],
    },
    'domain-leftover': {
      ...resting,
      hosts: [home, smallHost({ n: 2 }), ...hosts],
      hostSurveys: [both(home.id, running), both(hostId(2), migrated)],
    },
  }
}
