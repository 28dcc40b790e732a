import type { FixStep } from '@/server/api/explain/fix'
import type { ShapeAxis } from '@/server/api/explain/largest'
import type { RulePart } from '@/server/engine/explain/funnel'
import { claimTotalsText } from '../claim/amount/words'
import { refusalTitles } from '../refusal/words'
import { count, plural } from '../ui/format'
import type { FixShown } from './nearest'

const NO_HOST_YET = 'No host yet'

export const explainWords = {
  title: 'Explain',
  facts: 'Find out which hosts an instance fits on, and what keeps it off the others.',
  form: 'Request',
  by: 'Shape',
  ways: { flavor: 'Flavor', shape: 'Custom' },
  flavor: 'Flavor',
  vcpus: 'vCPUs',
  memory: 'Memory (MiB)',
  disk: 'Disk (GiB)',
  specs: 'Extra specs',
  specsHelp: 'key=value, separated by semicolons',
  image: 'Image',
  noImage: 'no image properties',
  zone: 'Zone',
  group: 'Group',
  groupOf: (name: string, policy: string) => `${name} (${policy})`,
  any: 'any',
  none: 'none',
  operation: 'Operation',
  migrationOf: 'Migration of',
  asBuild: 'Explain as a new instance',
  choose: 'Choose a flavor or enter a custom shape.',
  chooseMore: 'Every host is then checked by the rules of a claim.',
  asking: 'Checking every host.',
  what: 'verdicts',
  needs: (held: string) => `Needs ${held}`,
  asked: (hosts: number, ms: number) => `${plural(hosts, 'host')} checked in ${count(ms)} ms`,
  askAgain: 'Check again',
  fits: (n: number, of: number) =>
    of === 0 ? `${NO_HOST_YET}.` : `It fits on ${n === 0 ? 'none' : count(n)} of ${plural(of, 'host')}.`,
  unanswered: (n: number) => `${count(n)} of them ${n === 1 ? 'does' : 'do'} not answer.`,
  funnel: 'Funnel',
  funnelView: 'Show the funnel as',
  start: 'all hosts',
  end: 'fits',
  funnelRow: (title: string, refused: number, left: number) =>
    `${title}: ${count(refused)} refused, ${count(left)} left`,
  columns: {
    rule: 'Rule',
    part: 'Category',
    asked: 'Checked',
    refused: 'Refused',
    left: 'Left',
    alone: 'Only this rule',
  },
  aloneHelp: 'Hosts that refuse by this rule and no other.',
  parts: {
    host: 'host state',
    place: 'location',
    group: 'group',
    guest: 'the running instance',
    amounts: 'amounts',
    cells: 'NUMA nodes',
    devices: 'devices',
    other: 'combination',
  } satisfies Record<RulePart, string>,
  largest: 'Largest shape that fits on one host',
  largestWhat: 'the largest shape that fits',
  awaited: 'searching',
  axes: {
    size: 'Same proportions',
    vcpus: 'More vCPUs only',
    memory: 'More memory only',
    devices: 'Devices',
  } satisfies Record<ShapeAxis, string>,
  nothingThere: 'none: no host yet',
  trees: 'Trees managed by Nova',
  treesTaking: (n: number, of: number) => `fits ${count(n)} of ${plural(of, 'tree')}, by amounts alone`,
  treesPlaces: 'facts about their compute hosts, for NUMA nodes, CPUs and devices',
  tree: 'Tree',
  howMany: 'How many',
  treesWhat: 'the provider trees',
  matrix: 'Hosts and rules',
  filter: 'Host, fix or id',
  filters: {
    host: 'name of the host; h-0* for many',
    verdict: 'ok, warning or refused',
    rule: 'a rule that refuses or warns',
    zone: 'availability zone',
    holder: 'holder of a resource that is short',
  },
  host: 'Host',
  verdict: 'Verdict',
  fix: 'Nearest fix',
  changes: 'Changes',
  changesHelp: 'How many changes until the instance fits. Hosts with the fewest come first, hosts without a fix last.',
  atLeastChanges: (n: number) => `≥ ${count(n)}`,
  zoneColumn: 'Zone',
  hidden: 'Support, operators and admins see the hosts.',
  detail: 'On this host',
  proof: 'Checked again as if this were done: it fits.',
  more: (n: number) => `+${n}`,
  noHostYet: NO_HOST_YET,
  noHosts: 'No host matches',
  noHostsMore: 'Clear the filter to see every host.',
  noFixYet: 'Still searching for fixes: hosts whose fix matches the filter will follow.',
} as const

const STEPS: { readonly [D in Exclude<FixStep['do'], 'move-away' | 'end-move'>]: (name: string) => string } = {
  enable: () => 'enable the host',
  'mark-up': () => 'bring the host up',
  clean: () => 'clean up the host',
  'add-aggregate': (name) => `add it to aggregate ${name}`,
  'remove-aggregate': (name) => `remove it from aggregate ${name}`,
  'add-trait': (name) => `add trait ${name}`,
  'remove-trait': (name) => `remove trait ${name}`,
}

/** One step as an imperative without a full stop. */
export function stepText(step: FixStep): string {
  if (step.do === 'move-away') return `migrate ${step.instance.name} away (${claimTotalsText(step.held)})`
  if (step.do === 'end-move') return `end the migration of ${step.instance.name} (${claimTotalsText(step.held)})`
  return STEPS[step.do]('name' in step ? step.name : '')
}

export function fixText(fix: FixShown | null): string {
  switch (fix?.is) {
    case undefined:
      return ''
    case 'found':
      return fix.steps.map(stepText).join(', then ')
    case 'none':
      return `no fix: ${refusalTitles[fix.because]}`
    case 'awaited':
      return explainWords.awaited
    case 'unsearched':
      return 'select the host to search for one'
  }
}
