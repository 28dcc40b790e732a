import type { Instance } from '../change'
import { type ClaimBody, isDead } from '../host'
import type { Interruptible } from '../interruptible'
import { memoize } from '../memoize'
import type { HostId } from '../words/ids'
import { deviceChecks, devicesRecorded } from './device-checks'
import { type AuditRecords, heldBy, ofHolding, type Report } from './finding'
import { type DomainOnHost, mayBeSwitching, type Observations, observationsOf, type Round } from './observations'
import { nothingLeftOver, powerAsRecorded } from './power-checks'
import { nameOf, runningDomainChecks } from './running-domain-checks'
import type { SurveyedDomain } from './snapshot'

// Records against one survey of hypervisors. The audit compares them with the latest survey; a finding is likely once
// the previous survey agrees.

type SurveyCheck = (records: AuditRecords, seen: Observations, report: Report) => void

const SURVEY_CHECKS: Readonly<Record<string, SurveyCheck>> = {
  'an instance runs once, on its recorded host': instancesWhereRecorded,
  'an instance has a domain on one of its hosts': instancesSomewhere,
  'a running domain of an instance has the tag of Berth': instancesTagged,
  'a domain has the CPUs and devices of its claim': instancesAsClaimed,
  'an instance has its recorded power state': powerAsRecorded,
  'no copy of an instance remains on another host': nothingLeftOver,
}

const SURVEY_CHECK_LIST = Object.values(SURVEY_CHECKS)

/** Yields between parts, as the audit does. */
export function* surveyChecks(records: AuditRecords, round: Round, report: Report): Interruptible<void> {
  const observations = observationsOf(records.snapshot, round)
  for (const check of SURVEY_CHECK_LIST) {
    yield
    check(records, observations, report)
  }
  yield
  devicesRecorded(records, observations, report)
  deviceChecks(records, { observations, round }, report)
}

function instancesWhereRecorded(records: AuditRecords, seen: Observations, report: Report): void {
  const running = seen.all.filter(
    ({ domain }) =>
      domain.observedState === 'running' && !isForeign(records, domain) && !mayBeSwitching(records, domain.instance),
  )
  const places = running.map(({ host, domain }) => ({ host, instance: domain.instance }))
  runningDomainChecks(records, places, report)
}

const STANDS: readonly Instance['vmState'][] = ['active', 'paused', 'stopped']

// Every host that could have the domain must have answered without it: the recorded host, those with a claim for it and
// those that list its leftovers. Fenced and lost hosts need no query for running domains, but for disks.
function instancesSomewhere(records: AuditRecords, seen: Observations, report: Report): void {
  for (const { id, host, vmState } of records.snapshot.instances) {
    if (host === null || !STANDS.includes(vmState) || records.activeMigrationOf.has(id)) continue
    const home = records.hosts.get(host)
    if (home === undefined || isDead(home.status)) continue
    if (seen.of(id).some(({ domain }) => domain.observedState !== 'left')) continue
    const could = new Set<HostId>([host, ...heldBy(records, id).map((held) => held.host.id)])
    if ([...could].some((each) => seen.answer(each, id) === null)) continue
    const found = `${[...could].map((each) => nameOf(records, each)).join(', ')} answered without it`
    report({ kind: 'instance-nowhere', host, instance: id, expected: `a domain on ${home.name}`, found })
  }
}

/** An operator who takes the tag off and deletes the instance keeps the domain, which is none of Berth's business then. */
const isForeign = (records: AuditRecords, { untagged, instance }: SurveyedDomain): boolean =>
  untagged === true && !records.instances.has(instance)

// Every operation refuses such a domain, and a migration waits for it, so the cause has to be told before one begins.
function instancesTagged(records: AuditRecords, seen: Observations, report: Report): void {
  for (const { host, domain } of seen.all) {
    if (domain.untagged !== true || isForeign(records, domain)) continue
    const found = `domain ${domain.instance} runs on ${nameOf(records, host)} without it`
    report({
      kind: 'domain-untagged',
      host,
      instance: domain.instance,
      expected: 'a domain with the tag of Berth',
      found,
    })
  }
}

function instancesAsClaimed(records: AuditRecords, seen: Observations, report: Report): void {
  for (const observed of seen.all) {
    const { body, observedState, instance } = observed.domain
    if (body === null || (observedState !== 'running' && observedState !== 'stopped')) continue
    const step = records.activeMigrationOf.get(instance)?.step
    if (step !== undefined && step !== 'verify' && step !== 'release') continue
    asClaimed(records, { observed, body }, report)
  }
}

function asClaimed(
  records: AuditRecords,
  { observed, body }: { observed: DomainOnHost; body: ClaimBody },
  report: Report,
): void {
  const here = records.hosts.get(observed.host)
  const { instance } = observed.domain
  const holdings = here?.holdings.filter((holding) => holding.instance === instance) ?? []
  const [holding] = holdings
  // Two claims on one host are a resize in place; then the step decides which of them the domain has.
  if (here === undefined || holding === undefined || holdings.length > 1) return
  const [expected, found] = [pinsAndDevicesText(holding.body), pinsAndDevicesText(body)]
  if (expected === found) return
  report({ kind: 'claim-differs-from-domain', host: here.id, ...ofHolding(holding), expected, found })
}

/** Pins and devices, ready to print and to compare. Hypervisors do not report what is claimed together with them. */
export const pinsAndDevicesText = memoize(({ cells, units }: ClaimBody): string => {
  const pins = cells.flatMap((node) => node.pins.map(([vcpu, cpu]) => [vcpu, `vCPU ${vcpu} on CPU ${cpu}`] as const))
  const devices = units.filter(({ use }) => use === 'device').map(({ unit }) => unit)
  const parts = [...pins.sort(([a], [b]) => a - b).map(([, text]) => text), ...devices.sort()]
  return parts.join(', ') || 'no pinned CPUs, no devices'
})
