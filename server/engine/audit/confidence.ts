import { runToCompletion } from '../interruptible'
import { memoize } from '../memoize'
import { BLANK, type Finding } from './finding'
import { fingerprintOf } from './identity'
import { indexSnapshot } from './index-snapshot'
import { type Confidence, kindRow } from './kinds'
import type { Snapshot } from './snapshot'
import { surveyChecks } from './survey-checks'

/**
 * What proves a finding of this snapshot. sure: the records alone. likely: the previous survey agrees, or the domains
 * were read at the same moment as the records. once: only the latest survey. The previous survey is evaluated once,
 * when the first finding needs it.
 */
export function confidenceFinder(snapshot: Snapshot): (finding: Finding) => Confidence {
  return (finding) => {
    if (!kindRow(finding.kind).needsTwoSurveys) return 'sure'
    if (snapshot.domains !== undefined) return 'likely'
    return printsBefore(snapshot).has(fingerprintOf(finding)) ? 'likely' : 'once'
  }
}

const printsBefore = memoize((snapshot: Snapshot): ReadonlySet<string> => {
  const prints = new Set<string>()
  runToCompletion(
    surveyChecks(indexSnapshot(snapshot), 'earlier', (finding) => prints.add(fingerprintOf({ ...BLANK, ...finding }))),
  )
  return prints
})

export function confidencesOf(findings: readonly Finding[], snapshot: Snapshot): ReadonlyMap<Finding, Confidence> {
  const judge = confidenceFinder(snapshot)
  return new Map(findings.map((finding) => [finding, judge(finding)]))
}

export const confidenceOf = (finding: Finding, snapshot: Snapshot): Confidence => confidenceFinder(snapshot)(finding)
