import type { RunKind } from '@/server/engine/drain/plan'

// Texts of the command palette.

export const paletteWords = {
  title: 'Search',
  placeholder: 'Name, id, address, page or action',
  results: 'Results',
  groups: {
    action: 'Actions',
    page: 'Pages',
    instance: 'Instances',
    host: 'Hosts',
    migration: 'Migrations',
    device: 'Devices',
    tree: 'Provider trees',
    record: 'By id',
    view: 'Views',
  },
  record: {
    finding: (id: string) => `Finding ${id}`,
    heal: (id: string) => `Repair ${id}`,
    run: (id: string) => `Drain or evacuation ${id}`,
    claim: (id: string) => `Claim ${id}`,
    provider: (id: string) => `Resource provider ${id}`,
  },
  managedByNova: 'managed by Nova',
  viewOf: (path: string) => `view on ${path}`,
  none: (text: string) => `No results for ${text}`,
  noneMore: 'Search by name, the first eight characters of an id, or an address such as 3b:00.1.',
  failed: 'The search failed; pages and actions are still available.',
  count: (n: number) => (n === 1 ? '1 entry' : `${n} entries`),
  notNow: (why: string) => `Unavailable: ${why}`,
  on: (verb: string, name: string) => `${verb} ${name}`,
  stated: (verb: string, name: string) => `${verb}: ${name}`,
  empty: {
    drain: { verb: 'Drain', hint: 'plan live migrations off a host' },
    evacuation: { verb: 'Evacuate', hint: 'plan to rebuild the instances of a dead host elsewhere' },
  } satisfies Record<RunKind, { verb: string; hint: string }>,
  build: 'Build instance',
  signOut: 'Sign out',
  onHost: (host: string) => `on ${host}`,
  nowhere: 'on no host',
  held: (label: string, host: string) => `${label}, held, on ${host}`,
  free: (label: string, host: string) => `${label}, not held, on ${host}`,
  migration: (noun: string, instance: string) => `${noun} ${instance}`,
  clock: { utc: 'Show times in UTC', local: 'Show times in local time' },
  hint: 'Arrow keys select, Enter opens, Esc closes.',
} as const
