import type { FindingBriefView } from '@/server/api/finding/brief'
import type { HealState, PartState } from '@/server/api/heal/view'
import type { ProposalState } from '@/server/api/proposal/propose'
import type { StateLook } from '../ui/Badge'
import { plural } from '../ui/format'

export const healLooks: Readonly<Record<HealState, StateLook>> = {
  draft: { shape: 'ring', tone: 'flow', label: 'to review' },
  applied: { shape: 'tick', tone: 'ok', label: 'applied' },
  'partly-applied': { shape: 'half', tone: 'warn', label: 'partly applied' },
  changed: { shape: 'diamond', tone: 'twice', label: 'changed meanwhile' },
  undone: { shape: 'outof', tone: 'idle', label: 'undone' },
}

export const partLooks: Readonly<Record<PartState, StateLook>> = {
  open: { shape: 'ring', tone: 'idle', label: 'not applied' },
  applied: { shape: 'tick', tone: 'ok', label: 'applied' },
  changed: { shape: 'diamond', tone: 'twice', label: 'changed, not written' },
  undone: { shape: 'outof', tone: 'idle', label: 'undone' },
  'left-out': { shape: 'dash', tone: 'idle', label: 'left out' },
}

export const proposalLooks: Readonly<Record<ProposalState, StateLook>> = {
  open: { shape: 'pause', tone: 'warn', label: 'waits for a second person' },
  approved: { shape: 'tick', tone: 'ok', label: 'approved' },
  refused: { shape: 'cross', tone: 'bad', label: 'refused' },
  withdrawn: { shape: 'outof', tone: 'idle', label: 'withdrawn' },
  expired: { shape: 'unknown', tone: 'idle', label: 'expired' },
}

export const healWords = {
  title: 'Heals',
  one: 'Heal',
  plans: 'Plans',
  filter: 'Person, reason or id',
  filters: {
    state: 'how the plan stands',
    by: 'who made it',
    undo: 'whether it undoes another',
    reason: 'why it was applied; *bug* for a part',
  },
  columns: {
    plan: 'Plan',
    state: 'State',
    parts: 'Parts',
    applied: 'Applied',
    made: 'Made',
    by: 'By',
    reason: 'Reason',
    undoes: 'Undoes',
  },
  empty: 'No plan yet',
  emptyFiltered: 'No plan matches',
  emptyFilteredMore: 'Clear the filter to see every plan.',
  emptyMore: 'Tick findings and plan their heal. A plan writes nothing until its lines are applied.',
  heading: (parts: number) => `Heal of ${plural(parts, 'finding')}`,
  undoHeading: (parts: number) => `Undo of ${plural(parts, 'part')}`,
  undoOf: 'Reads backwards',
  anotherPlan: 'an applied plan',
  madeBy: 'Planned by',
  review: 'Parts',
  part: (n: number) => `Part ${n}`,
  partOf: (n: number, title: string) => `Part ${n}: ${title}`,
  take: (n: number, title: string, locked: string | null) =>
    locked ? `Apply part ${n}: ${title}: ${locked}` : `Apply part ${n}: ${title}`,
  lines: (n: number) => `Lines of part ${n}`,
  guards: 'Only while',
  guardsMore: 'Written only if these still read so at that moment; otherwise nothing of this part is.',
  gives: 'Gives back',
  givesNothing: 'no room: it sets a record right',
  evidence: 'Evidence',
  locked: 'Locked',
  appliedAt: 'applied',
  conflict: 'Not written',
  noParts: 'This plan has no parts',
  noPartsMore: 'What it was made for is no longer there.',
  apply: {
    title: 'Apply',
    verb: (n: number) => (n === 0 ? 'Apply' : `Apply ${plural(n, 'part')}`),
    undoVerb: (n: number) => (n === 0 ? 'Undo' : `Undo ${plural(n, 'part')}`),
    sum: (lines: number, hosts: number) => `Writes ${plural(lines, 'row')} on ${plural(hosts, 'host')}.`,
    gives: (held: string) => `Gives back ${held}.`,
    each: 'Each part in one transaction: all of its lines, or none.',
    pick: 'Tick a part first.',
    reason: 'Say why first: the reason is kept in the audit log.',
    done: (n: number) => `${plural(n, 'part')} applied`,
    doneMore: (found: readonly FindingBriefView[]) =>
      found.length === 0
        ? 'Record corrected. The next audit found nothing new.'
        : `Record corrected. ${plural(found.length, 'new finding')}: ${found.map(({ says }) => says).join('; ')}`,
    changed: 'Nothing was written: rows had changed since they were shown',
    changedMore: 'A new plan has the lines as they are now.',
    notReplaced: 'There is no new plan',
    proposed: 'Proposed to a second person',
    proposedMore: 'Nothing was written. It is applied when somebody else approves it.',
  },
  replaced: 'Rows changed after this plan was made, so its part was not written.',
  replacedLink: 'Read the new plan, with what changed marked',
  marked: (n: number) =>
    `${plural(n, 'line')} ${n === 1 ? 'reads' : 'read'} otherwise than in the plan before; ${n === 1 ? 'it is' : 'they are'} marked.`,
  verified: {
    title: 'Verified',
    waits: 'the next audit',
    clean: 'nothing is left of these findings',
    left: (n: number) => `${plural(n, 'finding')} of the same subjects left`,
    found: (n: number) => `${plural(n, 'new finding')}`,
  },
  foreseen: {
    title: 'After it',
    none: 'the next audit finds nothing of these findings and nothing new',
    isNew: 'new',
    stays: 'stays',
  },
  undo: 'Plan undo',
  undoMore: 'Makes a plan that reads backwards; you review it like any other.',
  undone: 'Undone by',
  undonePlan: 'a later plan',
  approval: {
    title: 'Second person',
    asks: (by: string) => `${by} asks for this`,
    waits: 'Nothing is written until somebody else approves it.',
    approve: 'Approve',
    refuse: 'Refuse',
    decided: (by: string) => `decided by ${by}`,
    approved: 'Approved',
    refused: 'Refused',
    approveHost: (truth: string, host: string) => `State that ${host} is ${truth}`,
    approveHeal: 'Apply a heal',
    approveRelease: 'Release the allocation of another owner',
    approveEvacuation: (host: string) => `Evacuate ${host}, vouched to be surely off`,
    readRun: 'Read its plan',
    readHeal: 'Read its lines',
    list: 'Waiting for a second person',
    consequence: 'With your approval it is done at once, signed with both names.',
    consequenceRefuse: 'It is closed and nothing is written.',
  },
} as const
