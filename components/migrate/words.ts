import type { HostVerdict } from '@/server/api/explain/verdicts'
import type { MigrationEstimate } from '@/server/api/run/estimate'
import type { FreeRoom } from '@/server/engine/explain/free-room'
import type { Policy, RankFacts } from '@/server/engine/scheduler'
import type { StorageMode, StorageUsed } from '@/server/engine/storage/storage'
import { verdictBadges } from '../refusal/words'
import { count, gib, mib, pageSize, plural } from '../ui/format'

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

export const migrateWords = {
  storage: 'Storage',
  title: (verb: string, name: string) => `${verb} ${name}`,
  operation: 'Operation',
  chooseFlavor: 'Choose a flavor to see which hosts fit.',
  chooseImage: 'Choose an image.',
  needs: (held: string) => `Needs ${held}`,
  all: 'All',
  asked: (ms: number, hosts: number) => `${plural(hosts, 'host')} checked in ${count(ms)} ms`,
  asking: 'Checking every host.',
  askAgain: 'Check again',
  whyNot: 'Explain: every rule and the nearest fix',
  find: 'Host or zone',
  columns: {
    rank: 'Rank',
    host: 'Host',
    verdict: 'Verdict',
    why: 'Why',
    zone: 'Zone',
    vcpus: 'vCPUs free',
    pinnedCpus: 'Pinned free',
    memoryMib: 'Memory free',
    diskGib: 'Disk free',
    devices: 'Devices free',
  },
  devicesHelp: 'Free devices that the requests of the flavor accept.',
  facts: {
    kind: 'Kind',
    zone: 'Zone',
    rank: 'Rank',
    rankOf: (rank: number, of: number) => `${count(rank)} of ${count(of)} that fit`,
    standing: 'Why there',
    policy: 'Policy',
    time: 'Expected time',
    free: 'Free now',
  },
  policies: {
    spread: 'Spread: the emptiest host first',
    pack: 'Pack: the fullest host first',
    'least-fragmentation': 'Least fragmentation: the host that stays least fragmented first',
  } satisfies Record<Policy, string>,
  standing: ({ members, broken, fullMilli, claims }: RankFacts) =>
    [
      members === null ? null : plural(members, 'group member'),
      broken === null ? null : `splits ${count(broken)} more NUMA nodes, cores or cards`,
      `${(fullMilli / 10).toFixed(1)} % full with it`,
      plural(claims, 'claim'),
    ]
      .filter(Boolean)
      .join(', '),
  free: (room: FreeRoom) => [
    plural(room.vcpus, 'vCPU'),
    plural(room.pinnedCpus, 'pinned CPU'),
    `${mib(room.memoryMib)} memory`,
    ...room.hugePages.map(({ sizeKib, free }) => `${count(free)} × ${pageSize(sizeKib)} pages`),
    `${gib(room.diskGib)} disk`,
    ...(room.devices === null ? [] : [plural(room.devices, 'matching device')]),
  ],
  /** `usually 3 s, at most 5 s in 19 of 20 (31 migrations between these hosts)` */
  estimate: (usual: string, most: string, { migrations, ofPair }: MigrationEstimate) =>
    `usually ${usual}, 95 % within ${most} (${plural(migrations, 'migration')}${ofPair ? ' between these hosts' : ', any hosts'})`,
  noEstimate: 'no baseline yet (needs 5 migrations)',

  why: (parts: readonly (string | null | undefined)[], more: number) => {
    const first = parts.filter(Boolean).join(' · ')
    return more === 0 ? first : `${first}, +${more} more`
  },
  from: (host: string) => `On host ${host}`,
  detail: 'On this host',
  pickHost:
    'Select a host to see why it ranks there, what is free and the claim it would get, or every rule that refuses it.',
  wouldChoose: 'The scheduler would choose this host now.',
  mapping: 'Claim on the target',
  warnings: 'Warnings',
  refusals: 'Why not',
  silent: 'It does not answer; a migration would wait for it. Last answer',
  silentAlways: 'It has never answered; a migration would wait for it.',
  noHost: 'No host matches',
  noHostMore: 'Clear the filter to see every host.',
  start: (verb: string, host: string) => `${verb} to ${host}`,
  startHere: (verb: string) => `${verb} here`,
  startAny: (verb: string) => `${verb}, let the scheduler choose`,
  startedMore: 'It claims its target first. Follow it on its page.',
  follow: 'Open migration',
  notThere: (why: string) => `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
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

/** One of the filters by verdict, with how many hosts it leaves once that is known. */
export function filterText(id: HostVerdict['verdict'] | 'all', hosts: number | undefined): string {
  const label = id === 'all' ? migrateWords.all : verdictBadges[id].label
  return hosts === undefined ? label : `${label} ${count(hosts)}`
}
