import type { FindingBriefView } from '@/server/api/finding/brief'
import type { HealState, PartState } from '@/server/api/heal/view'
import type { ProposalView } from '@/server/api/proposal/propose'
import type { BadgeContent } from '../ui/Badge'
import { plural } from '../ui/format'

export const healBadges: Readonly<Record<HealState, BadgeContent>> = {
  draft: { shape: 'ring', tone: 'flow', label: 'to review' },
  applied: { shape: 'tick', tone: 'ok', label: 'applied' },
  'partly-applied': { shape: 'half', tone: 'warn', label: 'partly applied' },
  changed: { shape: 'diamond', tone: 'twice', label: 'outdated' },
  undone: { shape: 'outof', tone: 'idle', label: 'undone' },
}

export const partBadges: Readonly<Record<PartState, BadgeContent>> = {
  open: { shape: 'ring', tone: 'idle', label: 'not applied' },
  applied: { shape: 'tick', tone: 'ok', label: 'applied' },
  changed: { shape: 'diamond', tone: 'twice', label: 'outdated, not written' },
  undone: { shape: 'outof', tone: 'idle', label: 'undone' },
  'left-out': { shape: 'dash', tone: 'idle', label: 'skipped' },
}

export const proposalBadges: Readonly<Record<ProposalView['state'], BadgeContent>> = {
  open: { shape: 'pause', tone: 'warn', label: 'awaiting approval' },
  running: { shape: 'half', tone: 'flow', label: 'approved, running' },
  approved: { shape: 'tick', tone: 'ok', label: 'approved' },
  refused: { shape: 'cross', tone: 'bad', label: 'refused' },
  withdrawn: { shape: 'outof', tone: 'idle', label: 'withdrawn' },
  expired: { shape: 'unknown', tone: 'idle', label: 'expired' },
}

export const healWords = {
  title: 'Repairs',
  one: 'Repair',
  filter: 'Person, reason or id',
  filters: {
    state: 'state of the repair',
    by: 'who planned it',
    undo: 'whether it undoes another repair',
    reason: 'reason given; *bug* for a part of it',
  },
  columns: {
    plan: 'Repair',
    state: 'State',
    parts: 'Parts',
    applied: 'Applied',
    made: 'Planned',
    by: 'By',
    reason: 'Reason',
    undoes: 'Undoes',
  },
  empty: 'No repair yet',
  emptyFiltered: 'No repair matches',
  emptyFilteredMore: 'Clear the filter to see every repair.',
  emptyMore: 'Select findings and review their repair. It writes nothing until it is applied.',
  heading: (parts: number) => `Repair of ${plural(parts, 'finding')}`,
  undoHeading: (parts: number) => `Undo of ${plural(parts, 'part')}`,
  undoOf: 'Undoes',
  anotherPlan: 'an applied repair',
  madeBy: 'Planned by',
  review: 'Parts',
  part: (n: number) => `Part ${n}`,
  partOf: (n: number, title: string) => `Part ${n}: ${title}`,
  take: (n: number, title: string, locked: string | null) =>
    locked ? `Apply part ${n}: ${title}: ${locked}` : `Apply part ${n}: ${title}`,
  lines: (n: number) => `Changes of part ${n}`,
  guards: 'Conditions',
  guardsMore: 'This part is written only if these values are unchanged; otherwise none of it is.',
  gives: 'Releases',
  givesNothing: 'nothing; corrects a record',
  evidence: 'Evidence',
  locked: 'Locked',
  appliedAt: 'applied',
  conflict: 'Not written',
  noParts: 'This repair has no parts',
  noPartsMore: 'Its findings no longer exist.',
  apply: {
    title: 'Apply',
    verb: (n: number) => (n === 0 ? 'Apply' : `Apply ${plural(n, 'part')}`),
    undoVerb: (n: number) => (n === 0 ? 'Undo' : `Undo ${plural(n, 'part')}`),
    ask: (n: number) => (n === 0 ? 'Request approval' : `Request approval of ${plural(n, 'part')}`),
    asks: 'A second person has to approve it first.',
    replaces: 'Replaces the open request.',
    sum: (lines: number, hosts: number) => `Writes ${plural(lines, 'row')} on ${plural(hosts, 'host')}.`,
    gives: (held: string) => `Releases ${held}.`,
    each: 'Each part is one transaction: all of its changes, or none.',
    pick: 'Select a part first.',
    reason: 'Enter a reason. It is kept in the audit log.',
    done: (n: number) => `${plural(n, 'part')} applied`,
    doneMore: (found: readonly FindingBriefView[]) =>
      found.length === 0
        ? 'Record corrected. The next audit found nothing new.'
        : `Record corrected. ${plural(found.length, 'new finding')}: ${found.map(({ says }) => says).join('; ')}`,
    changed: 'Nothing was written: rows have changed since they were shown',
    changedMore: 'A new plan shows the current rows.',
    notReplaced: 'There is no new plan',
    proposed: 'Sent for approval',
    proposedMore: 'Nothing is written until a second person approves it.',
  },
  replaced: 'Rows changed after this repair was planned, so nothing was written.',
  replacedLink: 'Open the new plan with its changes marked',
  marked: (n: number) =>
    `${plural(n, 'line')} ${n === 1 ? 'differs' : 'differ'} from the previous plan and ${n === 1 ? 'is' : 'are'} marked.`,
  verified: {
    title: 'Result',
    waits: 'the next audit',
    clean: 'all of these findings are resolved',
    left: (n: number) => `${plural(n, 'finding')} remaining`,
    found: (n: number) => `${plural(n, 'new finding')}`,
  },
  foreseen: {
    title: 'Expected result',
    none: 'the next audit reports none of these findings and nothing new',
    isNew: 'new',
    stays: 'stays',
  },
  undo: 'Review undo',
  undoMore: 'Plans the reverse changes. You review them like any other repair.',
  undone: 'Undone by',
  undonePlan: 'a later repair',
  approval: {
    title: 'Approval',
    asks: (by: string) => `Requested by ${by}`,
    waits: 'Nothing is written until a second person approves it.',
    approve: 'Approve',
    refuse: 'Refuse',
    decided: (by: string) => `decided by ${by}`,
    approved: 'Approved',
    inPart: 'It was carried out in part.',
    notCarriedOut: 'It was not carried out, and the request stays open.',
    refused: 'Refused',
    approveHost: (status: string, host: string) => `Mark ${host} as ${status === 'lost' ? 'permanently lost' : status}`,
    approveHeal: 'Apply a repair',
    approveRelease: 'Release an allocation of another owner',
    approveFencing: (host: string) => `Fence ${host}: its power is cut`,
    approveEvacuation: (host: string) => `Evacuate ${host}, attested as powered off`,
    readRun: 'Open its plan',
    openCloud: 'Open the cloud',
    readHeal: 'Review its changes',
    consequence: 'Your approval carries it out at once, signed with both names.',
    consequenceRefuse: 'The request is closed and nothing is written.',
  },
} as const
