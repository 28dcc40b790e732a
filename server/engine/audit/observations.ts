import { grouped } from '../ledger/grouped'
import { memoize } from '../memoize'
import type { InstanceId } from '../words/ids'
import type { AuditRecords } from './finding'
import type { HostSurveys, Snapshot, SurveyedDomain, SurveyResult } from './snapshot'

// Surveys are older than the records they are compared with. A write about an instance after a survey invalidates that
// survey for the instance, so each is checked for whether it still counts.

export type Round = 'latest' | 'earlier'

export interface DomainOnHost {
  readonly host: HostSurveys['host']
  readonly at: number
  readonly domain: SurveyedDomain
}

/** One survey of all hosts, as far as it still counts. */
export interface Observations {
  /** Observations of the instance on any host, in surveys that count for it. */
  readonly of: (instance: InstanceId) => readonly DomainOnHost[]
  readonly all: readonly DomainOnHost[]
  /** The survey of that host if it was answered and counts for the instance, else null. */
  readonly answer: (host: HostSurveys['host'], instance: InstanceId) => SurveyResult | null
}

const NONE: readonly DomainOnHost[] = []

/** Computed once per snapshot and round. */
export const observationsOf = (snapshot: Snapshot, round: Round): Observations => ROUNDS[round](snapshot)

const ROUNDS: { readonly [R in Round]: (snapshot: Snapshot) => Observations } = {
  latest: memoize((snapshot: Snapshot) => observedIn(snapshot, 'latest')),
  earlier: memoize((snapshot: Snapshot) => observedIn(snapshot, 'earlier')),
}

function observedIn(snapshot: Snapshot, round: Round): Observations {
  const settled = settledAt(snapshot)
  const surveys = new Map((snapshot.hostSurveys ?? []).map((each) => [each.host, each[round]]))
  const all: DomainOnHost[] = []
  for (const [host, survey] of surveys) {
    if (survey === null || !survey.answered) continue
    for (const domain of survey.domains)
      if (survey.at > settled(domain.instance)) all.push({ host, at: survey.at, domain })
  }
  const byInstance = grouped(all, ({ domain }) => domain.instance)
  return {
    all,
    of: (instance) => byInstance.get(instance) ?? NONE,
    answer: (host, instance) => {
      const survey = surveys.get(host)
      return survey?.answered === true && survey.at > settled(instance) ? survey : null
    },
  }
}

/** The time of the last write that could have changed where the instance's domain is. */
function settledAt(snapshot: Snapshot): (instance: InstanceId) => number {
  const moved = new Map<InstanceId, number>()
  for (const { instance, stepSince } of snapshot.migrations) {
    moved.set(instance, Math.max(moved.get(instance) ?? -1, stepSince))
  }
  return (instance) => Math.max(moved.get(instance) ?? -1, snapshot.written?.get(instance) ?? -1)
}

/** True while a live domain may be on either side, so that surveys of the two, one after the other, prove nothing. */
export function mayBeSwitching(records: AuditRecords, instance: InstanceId): boolean {
  const step = records.activeMigrationOf.get(instance)?.step
  return step === 'transfer' || step === 'switch'
}
