import type { AdvisedAction, ProofView, Verdict } from '@/server/api/advice/router'
import type { BadgeContent } from '../ui/Badge'

export const verdictBadges: Readonly<Record<Verdict, BadgeContent>> = {
  safe: { shape: 'tick', tone: 'ok', label: 'safe' },
  attested: { shape: 'diamond', tone: 'warn', label: 'attested' },
  unsafe: { shape: 'triangle', tone: 'bad', label: 'unsafe' },
  impossible: { shape: 'cross', tone: 'idle', label: 'impossible' },
  unknown: { shape: 'unknown', tone: 'warn', label: 'unknown' },
}

export const actionWords: Readonly<Record<AdvisedAction, string>> = {
  wait: 'Wait',
  confirm: 'Confirm',
  revert: 'Revert',
  abort: 'Abort',
  'force-complete': 'Force-complete',
  retry: 'Retry',
  heal: 'Repair records',
  'mark-up': 'Mark host as up',
  'mark-down': 'Mark host as down',
  'mark-fenced': 'Mark host as fenced',
  'mark-lost': 'Mark host as permanently lost',
  evacuate: 'Evacuate',
}

export const proofWords: Readonly<Record<ProofView['source'], string>> = {
  records: 'records',
  allocations: 'allocations',
  hypervisor: 'hypervisor',
  person: 'attested',
  history: 'history',
}

export const adviceWords = {
  title: 'What is safe to do',
  one: 'Adviser',
  stuck: 'Stuck',
  notStuck: 'Nothing is stuck here.',
  lasting: 'for',
  proof: 'Evidence',
  shared: 'Evidence for several actions',
  sharedProof: (numbers: readonly number[]) => `Evidence ${numbers.join(', ')}`,
  noProof: 'no evidence for or against it',
  needs: (what: readonly string[]) => `Needed to decide: ${what.join('; ')}`,
  facts: 'Facts by source',
  do: (action: string) => `${action}…`,
  noHost: 'The host is unknown.',
  nothingToHeal: 'No finding here can be repaired now.',
} as const
