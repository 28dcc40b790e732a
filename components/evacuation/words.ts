import type { FencingMethodView } from '@/server/api/fencing/service'
import type { FencingAttempt, FencingView } from '@/server/api/fencing/view'
import type { HostStatus } from '@/server/engine/host'
import type { BadgeContent } from '../ui/Badge'
import { count, plural } from '../ui/format'
import type { StageId } from './stages'

const STAGE_NAMES: Readonly<Record<StageId, string>> = {
  down: 'Host down',
  fencing: 'Fencing',
  plan: 'Plan',
  progress: 'Rebuild',
  cleanUp: 'Clean-up',
}
const RECORDED: Readonly<Record<HostStatus, string>> = {
  up: 'Recorded up.',
  down: 'Recorded down: its instances may still run.',
  fenced: 'Recorded fenced: powered off, may return.',
  lost: 'Recorded permanently lost.',
}

export const evacuationWords = {
  title: (host: string) => `Evacuate ${host}`,
  one: 'Evacuation',
  stages: {
    title: 'Steps of the evacuation',
    numbered: (n: number, id: StageId) => `${n}. ${STAGE_NAMES[id]}`,
    unknown: 'Unknown:',
    badges: {
      done: { shape: 'tick', tone: 'ok', label: 'done' },
      attested: { shape: 'diamond', tone: 'warn', label: 'attested' },
      // By the operator; Berth does what is in progress.
      now: { shape: 'ring', tone: 'flow', label: 'to do' },
      running: { shape: 'half', tone: 'flow', label: 'in progress' },
      paused: { shape: 'pause', tone: 'warn', label: 'paused' },
      stopped: { shape: 'square', tone: 'warn', label: 'stopped' },
      ready: { shape: 'ring', tone: 'flow', label: 'ready' },
      waiting: { shape: 'pause', tone: 'warn', label: 'waiting' },
      problem: { shape: 'triangle', tone: 'bad', label: 'problem' },
      later: { shape: 'dash', tone: 'idle', label: 'not yet' },
    } satisfies Readonly<Record<string, BadgeContent>>,
    recorded: (status: HostStatus) => RECORDED[status],
    silent: 'Recorded up, but it does not answer.',
    neverAnswered: 'Recorded up, but no survey has reached it yet.',
    up: 'Recorded up and answering: drain it instead.',
    stillAnswers: 'Recorded down, but it still answers.',
    whetherRuns: 'whether its instances still run.',
    notFenced: 'Nobody has confirmed that it is powered off.',
    attestedBy: (by: string | null) => `${by ?? 'Somebody'} attested that it is powered off.`,
    notVerified: 'no fencing device has verified it.',
    verified: 'Its fencing device reports that it is powered off.',
    fencing: 'It is being powered off.',
    fenceFirst: 'Fence it first: its fencing device can power it off.',
    contradicted: 'It answered after it was fenced.',
    planning: 'Checking every host for every instance.',
    planned: (placed: number, of: number) =>
      placed === of
        ? `${plural(of, 'instance')}, each with a target.`
        : `${count(placed)} of ${plural(of, 'instance')} have a target.`,
    empty: 'No instance is recorded here.',
    noPlan: 'Made once the host is marked down.',
    notStarted: 'Not started.',
    rebuilt: (done: number, of: number) => `${count(done)} of ${plural(of, 'instance')} rebuilt elsewhere.`,
    leftovers: (n: number, quarantined: boolean) =>
      `${plural(n, 'leftover')} to clean up.${quarantined ? ' Quarantined: no new claims.' : ''}`,
    untilItAnswers: 'leftovers on the host. Its hypervisor does not answer.',
    clean: 'No leftovers remain; the host accepts claims again.',
    notQuarantined: 'Quarantined from its return until it is clean.',
  },
  stillAnswers:
    'Recorded down, but the host still answers: its instances may still run there. Fence it before they start elsewhere. Last contact:',
  needsAnswer: 'a first survey of the host',
  lastContact: 'Last contact',
  status: 'Status',
  fencing: {
    title: 'Fencing',
    badges: {
      attested: { shape: 'diamond', tone: 'warn', label: 'attested' },
      contradicted: { shape: 'triangle', tone: 'bad', label: 'contradicted' },
      verified: { shape: 'tick', tone: 'ok', label: 'verified' },
      none: { shape: 'unknown', tone: 'warn', label: 'not confirmed' },
    } satisfies Readonly<Record<FencingView['state'], BadgeContent>>,
    contradicted:
      'A survey after that found the host answering. Its instances may be running: fence the host again before anything starts elsewhere.',
    how: 'Reason given',
    attestedBy: 'Attested by',
    askedFor: 'Requested by',
    at: 'When',
    means: 'An instance that is rebuilt while it still runs on the old host writes to one disk from two hosts.',
    attest: 'Mark as fenced…',
    attestMore:
      'Fence the host first: power it off over its BMC, or unplug it. Then confirm it with the host name and a reason.',
    attestAfter:
      'No fencing device has verified it. Power it off by hand or unplug it, then confirm it with the host name and a reason.',
    fence: (host: string) => `Fence ${host}`,
    again: (host: string) => `Fence ${host} again`,
    ask: (host: string) => `Request fencing of ${host}`,
    begun: (host: string) => `Fencing of ${host} started`,
    underWay: 'It is being fenced.',
    by: ({ kind, where }: FencingMethodView) =>
      kind === 'redfish' ? `By Redfish at ${where}.` : `By the command ${where}.`,
    takesPower: 'Power is cut at once: everything on it stops without a shutdown.',
    verifies: (ms: number) => `Its power is polled until it is off, for up to ${Math.round(ms / 1000)} s.`,
    cannotVerify: 'It does not report the power state: somebody has to attest it afterwards.',
    marksDown: 'The host is marked as down first.',
    attempt: 'Fencing device',
    attemptBadges: {
      running: { shape: 'half', tone: 'flow', label: 'fencing' },
      verified: { shape: 'tick', tone: 'ok', label: 'verified off' },
      unverified: { shape: 'diamond', tone: 'warn', label: 'fenced, not verified' },
      failed: { shape: 'cross', tone: 'bad', label: 'failed' },
    } satisfies Readonly<Record<FencingAttempt['state'], BadgeContent>>,
    askedBy: (method: FencingAttempt['method'], by: string) =>
      `${method === 'redfish' ? 'Redfish' : 'Command'}, requested by ${by} at`,
  },
  start: 'Start evacuation',
  startOf: (host: string) => `Evacuate ${host}`,
  consequences: (n: number) => `${plural(n, 'instance')} will be rebuilt on other hosts, most urgent first.`,
  consequencesBlocked: (n: number) =>
    `${plural(n, 'instance')} ${n === 1 ? 'has no valid host and stays' : 'have no valid host and stay'} down until there is one.`,
  attests: (host: string) => `You attest that ${host} is powered off: no fencing device verifies it.`,
  underWay: 'An evacuation of this host is running.',
  stops: 'The evacuation stops automatically when the host answers again.',
  quarantine: 'When the host returns, it accepts no claims until its stale domains are removed.',
  started: 'Evacuation started',
  ask: 'Request evacuation',
  asksSecond: 'A second person has to approve it first. Until then nothing changes.',
  waits: 'The evacuation is awaiting approval.',
  proposed: 'Sent for approval',
  progress: 'Progress',
  openRun: 'Open evacuation',
  instances: 'Instances and their targets',
  noPreview: 'No plan yet',
  planning: 'Planning: checking every host for every instance.',
  stale: {
    title: 'Stale domains',
    quarantined: { shape: 'diamond', tone: 'bad', label: 'in quarantine' } satisfies BadgeContent,
    // A host in quarantine has returned.
    toCleanUp: { shape: 'square', tone: 'warn', label: 'to clean up' } satisfies BadgeContent,
    free: { shape: 'ring', tone: 'idle', label: 'not in quarantine' } satisfies BadgeContent,
    none: 'This host has no domains that belong elsewhere.',
    noneKnown: 'None recorded. What runs there is unknown until its hypervisor answers.',
    columns: { instance: 'Instance', observedState: 'Observed', observedAt: 'Observed at', lives: 'Current host' },
    nowhere: 'none',
    more: 'They are removed before the host accepts claims. Removal starts when its hypervisor answers.',
  },
} as const
