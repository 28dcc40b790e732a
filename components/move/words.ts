import type { HostVerdict } from '@/server/api/explain/verdicts'
import type { Silence } from '@/server/api/host/fleet-now'
import type { StorageMode, StorageUsed } from '@/server/engine/storage/storage'
import type { StateLook } from '../ui/Badge'
import { count, plural } from '../ui/format'

export const verdictLooks: Readonly<Record<HostVerdict['verdict'], StateLook>> = {
  ok: { shape: 'tick', tone: 'ok', label: 'ok' },
  warning: { shape: 'triangle', tone: 'warn', label: 'warning' },
  refused: { shape: 'cross', tone: 'bad', label: 'refused' },
}

/** Modes of a live migration; Nova's block_migration has the same three. */
export const storageWords: Readonly<Record<StorageMode, { readonly label: string; readonly detail: string }>> = {
  auto: { label: 'Auto', detail: 'Copies the disk unless source and target share its storage' },
  shared: { label: 'Shared', detail: 'Copies no disk; only hosts with the same shared storage' },
  block: { label: 'Block', detail: 'Copies the disk; only hosts that do not share its storage' },
}

export const storageUsedWords: Readonly<Record<StorageUsed, string>> = {
  shared: 'Shared storage: the disk stays where it is; nothing is claimed for it here.',
  block: 'Block migration: the disk is copied and claimed here.',
}

export const moveWords = {
  storage: 'Storage',
  title: (verb: string, name: string) => `${verb} ${name}`,
  operation: 'Operation',
  flavor: 'New flavor',
  image: 'New image',
  chooseFlavor: 'Choose a flavor to see which hosts take it.',
  chooseImage: 'Choose an image.',
  needs: (held: string) => `Needs ${held}`,
  all: 'All',
  asked: (ms: number, hosts: number) => `${plural(hosts, 'host')} asked in ${count(ms)} ms`,
  asking: 'Every host is being asked.',
  askAgain: 'Ask again',
  whyNot: 'Why not? Funnel, matrix and nearest fix',
  columns: { rank: 'Order', host: 'Host', verdict: 'Verdict', why: 'Why', zone: 'Zone' },
  why: (said: readonly (string | null | undefined)[], more: number) => {
    const first = said.filter(Boolean).join(' · ')
    return more === 0 ? first : `${first}, +${more} more`
  },
  shape: (vcpus: number, memory: string, specs: number) =>
    [plural(vcpus, 'vCPU'), memory, specs > 0 ? plural(specs, 'extra spec') : null].filter(Boolean).join(', '),
  source: 'source',
  detail: 'On this host',
  pickHost: 'Pick a host to see what it would hold there, or every rule that says no.',
  mapping: 'What would be held',
  warnings: 'Warnings',
  refusals: 'Why not',
  silent: 'It does not answer: a move would wait for it. It last answered',
  silentAlways: 'It has never answered: a migration would wait for it.',
  noHost: 'No host takes it',
  noHostMore: 'Every host refused. Pick one to see each rule with what is short and who holds it.',
  start: (verb: string, host: string) => `${verb} to ${host}`,
  startHere: (verb: string) => `${verb} here`,
  startAny: (verb: string) => `${verb}, let the scheduler choose`,
  startedMore: 'Its claim comes first; follow it on its page.',
  follow: 'Open the move',
  notOk: 'This host refuses it.',
  noHosts: 'No host takes it now.',
  pickFirst: 'Pick a host in the table, or let the scheduler choose.',
  notStarted: 'The move',
  explainFailed: 'verdicts',
} as const

export const buildWords = {
  title: 'Build an instance',
  name: 'Name',
  project: 'Project',
  flavor: 'Flavor',
  image: 'Image',
  zone: 'Zone',
  group: 'Group',
  any: 'any',
  none: 'none',
  build: (name: string) => `Build ${name}`,
  buildOn: (name: string, host: string) => `Build ${name} on ${host}`,
  needName: 'Give it a name.',
  needShape: 'Choose a flavor and an image.',
  done: (name: string) => `Build of ${name} accepted`,
  doneMore: 'It is claimed first, then made on its host.',
  open: 'Open the instance',
  choose: 'Choose a flavor and an image to see which hosts take it.',
  notBuilt: 'The build',
} as const

/** Why a host that fits ranks last. */
export const silenceText = ({ since }: Silence): string =>
  since === null ? 'has never answered, ranked last' : 'does not answer, ranked last'
