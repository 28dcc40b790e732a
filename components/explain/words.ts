import type { FixStep } from '@/server/api/explain/fix'
import type { ShapeAxis } from '@/server/api/explain/largest'
import type { RulePart } from '@/server/engine/funnel'
import { heldText } from '../claim/words'
import { refusalTitles } from '../refusal/words'
import { count, mib, plural } from '../ui/format'
import type { FixShown } from './nearest'

export const explainWords = {
  title: 'Explain',
  facts: 'Why does nothing take this? Any shape, every host, by the decision that a claim would make.',
  form: 'Question',
  by: 'Shape',
  ways: { flavor: 'Flavor', shape: 'Typed by hand' },
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
  any: 'any',
  none: 'none',
  operation: 'Operation',
  moveOf: 'A move of',
  asBuild: 'Ask as a build',
  choose: 'Choose a flavor or type a shape.',
  chooseMore: 'Every host is then asked, and each rule that says no is counted.',
  asking: 'Every host is being asked.',
  what: 'verdicts',
  needs: (held: string) => `Needs ${held}`,
  asked: (hosts: number, ms: number) => `${plural(hosts, 'host')} asked in ${count(ms)} ms`,
  askAgain: 'Ask again',
  takes: (n: number, of: number) => `${count(n)} of ${plural(of, 'host')} ${n === 1 ? 'takes' : 'take'} it`,
  nobody: (of: number) => (of === 0 ? 'There is no host yet' : `None of ${plural(of, 'host')} takes it`),
  funnel: 'Funnel',
  funnelView: 'Show the funnel as',
  start: 'all hosts',
  end: 'take it',
  funnelRow: (title: string, refused: number, left: number) => `${title}: ${count(refused)} out, ${count(left)} left`,
  columns: { rule: 'Rule', part: 'About', asked: 'Asked', refused: 'Out', left: 'Left', alone: 'Only this rule' },
  aloneHelp: 'Hosts that would take it if this one rule let them.',
  parts: {
    host: 'the host’s state',
    place: 'place',
    group: 'group',
    guest: 'the running guest',
    amounts: 'amounts',
    cells: 'NUMA cells',
    devices: 'devices',
    other: 'together',
  } satisfies Record<RulePart, string>,
  largest: 'Largest that still fits',
  largestWhat: 'the largest that still fits',
  awaited: 'being looked for',
  axes: {
    size: 'Same proportions',
    vcpus: 'vCPUs, memory as asked',
    memory: 'Memory, vCPUs as asked',
    devices: 'Devices',
  } satisfies Record<ShapeAxis, string>,
  shape: (vcpus: number, memoryMib: number, devices: number) =>
    [plural(vcpus, 'vCPU'), mib(memoryMib), devices > 0 ? plural(devices, 'device') : null].filter(Boolean).join(', '),
  atLeast: 'at least',
  nothingFits: 'none: it is not the amount that keeps it away',
  nothingThere: 'none: there is no host',
  nothingFound: 'none found so far',
  on: 'on',
  trees: 'Trees managed by Nova',
  treesTaking: (n: number, of: number) =>
    `${count(n)} of ${plural(of, 'tree')} ${n === 1 ? 'takes' : 'take'} it, by amounts`,
  treesPlaces: 'facts of their compute hosts, for cells, CPUs and devices',
  tree: 'Tree',
  howMany: 'How many',
  treesWhat: 'the provider trees',
  matrix: 'Hosts and rules',
  filter: 'Host, fix or id',
  filters: {
    host: 'name of the host; h-0* for many',
    verdict: 'what it says',
    rule: 'a rule that refuses or warns',
    zone: 'zone of the host',
    holder: 'who holds what is short',
  },
  host: 'Host',
  verdict: 'Verdict',
  fix: 'Nearest fix',
  zoneColumn: 'Zone',
  source: 'source',
  allRules: 'All hosts',
  hidden: 'Which hosts they are is shown to support, operators and admins.',
  detail: 'On this host',
  pick: 'Pick a host to see every rule in full, and what the claim would be.',
  proof: 'Asked again as if this were done, the host takes it.',
  times: (n: number) => `×${n}`,
  more: (n: number) => `+${n}`,
  noHosts: 'No host is left',
  noHostsMore: 'The filter leaves none of those that were asked.',
  noFixYet: 'Fixes are still being looked for; a host whose fix the filter names comes when it is found.',
  why: 'Why not?',
} as const

const STEPS: { readonly [D in Exclude<FixStep['do'], 'move-away' | 'end-move'>]: (name: string) => string } = {
  enable: () => 'enable the host',
  'state-up': () => 'bring the host up',
  clean: () => 'clean the host',
  'add-aggregate': (name) => `add it to aggregate ${name}`,
  'remove-aggregate': (name) => `take it out of aggregate ${name}`,
  'add-trait': (name) => `give it the trait ${name}`,
  'remove-trait': (name) => `take the trait ${name} from it`,
}

/** One step as an order, in words without a full stop. */
export function stepText(step: FixStep): string {
  if (step.do === 'move-away') return `move ${step.instance.name} away (${heldText(step.held)})`
  if (step.do === 'end-move') return `end the move of ${step.instance.name} (${heldText(step.held)})`
  return STEPS[step.do]('name' in step ? step.name : '')
}

export function fixText(fix: FixShown | null): string {
  switch (fix?.is) {
    case undefined:
      return ''
    case 'found':
      return fix.steps.map(stepText).join(', then ')
    case 'none':
      return `nothing here helps: ${refusalTitles[fix.because]}`
    case 'awaited':
      return explainWords.awaited
    case 'unsearched':
      return 'pick the host to look for one'
  }
}
