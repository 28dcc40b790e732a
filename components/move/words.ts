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
  chooseFlavor: 'Choose a flavor to see which hosts fit.',
  chooseImage: 'Choose an image.',
  needs: (held: string) => `Needs ${held}`,
  all: 'All',
  asked: (ms: number, hosts: number) => `${plural(hosts, 'host')} checked in ${count(ms)} ms`,
  asking: 'Checking every host.',
  askAgain: 'Check again',
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
  pickHost: 'Select a host to see the claim it would get there, or every rule that refuses it.',
  mapping: 'Claim on the target',
  warnings: 'Warnings',
  refusals: 'Why not',
  silent: 'It does not answer; a migration would wait for it. Last answer',
  silentAlways: 'It has never answered; a migration would wait for it.',
  noHost: 'No valid host',
  noHostMore: 'Every host refused. Select one to see each rule with what is short and who holds it.',
  start: (verb: string, host: string) => `${verb} to ${host}`,
  startHere: (verb: string) => `${verb} here`,
  startAny: (verb: string) => `${verb}, let the scheduler choose`,
  startedMore: 'It claims its target first. Follow it on its page.',
  follow: 'Open migration',
  notOk: 'This host refuses it.',
  noHosts: 'No valid host at present.',
  pickFirst: 'Select a host in the table, or let the scheduler choose.',
  notStarted: 'Starting the migration',
  explainFailed: 'verdicts',
} as const

export const buildWords = {
  title: 'Build instance',
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
  needName: 'Enter a name.',
  needShape: 'Choose a flavor and an image.',
  done: (name: string) => `Build of ${name} accepted`,
  doneMore: 'It claims its host first, then is built there.',
  open: 'Open instance',
  choose: 'Choose a flavor and an image to see which hosts fit.',
  notBuilt: 'The build',
} as const

/** Why a host that fits ranks last. */
export const silenceText = ({ since }: Silence): string =>
  since === null ? 'has never answered, ranked last' : 'does not answer, ranked last'
