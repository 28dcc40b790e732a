import type { AdvisedAction, ProofView, Verdict } from '@/server/api/advice/router'
import type { StateLook } from '../ui/Badge'

export const verdictLooks: Readonly<Record<Verdict, StateLook>> = {
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
  'force-complete': 'Force to complete',
  retry: 'Retry',
  heal: 'Repair the records',
  'state-up': 'State the host is up',
  'state-down': 'State the host is down',
  'state-fenced': 'State the host is fenced',
  'state-gone': 'State the host is gone',
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
  since: 'since',
  proof: 'Evidence',
  noProof: 'no fact speaks for or against it',
  needs: (what: readonly string[]) => `Would be known with: ${what.join('; ')}`,
  facts: 'Facts by source',
  do: (action: string) => `${action}…`,
  noHost: 'It is not said which host this is about.',
  nothingToHeal: 'No finding here can be healed now.',
  unsafeStill: 'Unsafe: read the evidence. The next step shows its consequences before anything is done.',
} as const
