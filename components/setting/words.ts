import type { ForeignInstances, SecondPersonDeed } from '@/server/engine/move-rules'
import type { Policy } from '@/server/engine/scheduler'
import { duration } from '../ui/format'

export const policyWords: Readonly<Record<Policy, { readonly label: string; readonly detail: string }>> = {
  spread: { label: 'Spread', detail: 'the host with the most room left' },
  pack: { label: 'Pack', detail: 'the fullest host that takes it' },
  'least-fragmentation': { label: 'Least fragmentation', detail: 'the host whose cells and devices stay most whole' },
}

export const deedWords: Readonly<Record<SecondPersonDeed, string>> = {
  gone: 'State a host gone',
  fenced: 'State a host fenced, or vouch for a silent one to evacuate it',
  heal: 'Apply a heal',
  release: 'Release the allocation of another owner (asked as well where applying a heal is)',
}

export const foreignWords: Readonly<Record<ForeignInstances, { readonly label: string; readonly detail: string }>> = {
  refuse: { label: 'Refuse', detail: 'the client is answered 409 and has to claim elsewhere' },
  allow: { label: 'Allow', detail: 'Berth counts them, and neither sees nor moves them' },
}

export const settingWords = {
  catalog: 'Flavors, server groups and PCI aliases',
  title: 'Settings',
  facts: 'What all moves go by. Moves under way keep the confirm window they were started with.',
  rules: 'Rules of moves',
  what: 'the rules of moves',
  policy: 'Choice of a host',
  policyHelp: 'When nobody names the host',
  limits: 'Moves at once',
  perSource: 'From one host',
  perTarget: 'To one host',
  fleet: 'In the fleet',
  queue: 'What is over waits in the queue, and shows its place.',
  window: 'Confirm window',
  waitsForEver: 'A move waits for a person for as long as it takes',
  confirmsAfter: (ms: number) => `A move confirms itself after ${duration(ms)}`,
  hasWindow: 'Moves confirm themselves',
  minutes: 'After, in minutes',
  second: 'Asks a second person',
  nobody: 'Nobody has to be asked',
  onlyOne: 'With one operator alone, nobody could say yes.',
  foreign: 'Instances of other clients on hosts of Berth',
  foreignHelp: 'Claims that come over the Placement API as INSTANCE, MIGRATION or without a type',
  changedBy: 'Changed',
  never: 'never, these are the defaults',
  script: 'a script',
  change: 'Change rules…',
  changing: 'Change the rules of moves',
  verb: 'Change rules',
  effect: 'Every server goes by them within a few seconds. Moves that wait in the queue are looked at again.',
  done: 'The rules of moves are changed',
} as const
