import type { HostAction, InstanceAction } from '@/server/api/permit/permits'
import type { Permit } from '@/server/api/permit/rights'
import type {
  FoundHost,
  FoundInstance,
  FoundMigration,
  FoundRecord,
  FoundTree,
  FoundView,
  SearchView,
} from '@/server/api/search/router'
import type { RunKind } from '@/server/engine/drain/plan'
import type { Operation, RequestedAction } from '@/server/engine/migration/state'
import { connectionWords } from '../connection/words'
import { NAV_ENTRIES } from '../console/frame/nav-entries'
import { paths } from '../console/paths'
import { shortId } from '../console/refs'
import { consoleWords } from '../console/words'
import { kindWords } from '../finding/kind/words'
import { statusBadge } from '../host/state/words'
import { hostActionWords } from '../host/words'
import { vmStateBadges } from '../instance/words'
import { outcomeBadges, requestedActionWords } from '../migration/words'
import { operationWords, stepBadges } from '../step/words'
import { uiWords } from '../ui/words'
import { addressOf } from '../view/query'
import { paletteWords as words } from './words'

// Palette entries for the typed text. Pure: search response and words in, grouped entries out.

export type PaletteAction =
  | { readonly do: 'go'; readonly href: string }
  | { readonly do: 'host'; readonly host: FoundHost; readonly action: HostAction }
  | { readonly do: 'requestedAction'; readonly migration: FoundMigration; readonly requestedAction: RequestedAction }
  | { readonly do: 'sign-out' | 'toggle-clock' }

export interface Entry {
  readonly id: string
  readonly label: string
  readonly hint: string | null
  /** Why it would do nothing now; it is listed all the same. */
  readonly disabledReason: string | null
  readonly action: PaletteAction
}
export type GroupName = keyof typeof words.groups
export interface Group {
  readonly name: GroupName
  readonly entries: readonly Entry[]
}

/** A leading verb applies to what follows: `confirm web-1`. */
export function readRequest(text: string): { readonly verb: string | null; readonly sought: string } {
  const [first = '', ...rest] = text.trim().split(/\s+/)
  const begun = first.toLowerCase()
  const isVerb = begun.length >= 3 && VERBS.some((verb) => verb.startsWith(begun))
  return isVerb && rest.length > 0 ? { verb: begun, sought: rest.join(' ') } : { verb: null, sought: text.trim() }
}

const FATES = Object.keys(hostActionWords) as readonly HostAction[]
const OPERATIONS = Object.keys(operationWords) as readonly Operation[]
const REQUESTED_ACTIONS = Object.keys(requestedActionWords) as readonly RequestedAction[]
const EMPTYING = Object.keys(words.empty) as readonly RunKind[]
const VERBS: readonly string[] = [
  ...OPERATIONS.map((operation) => operationWords[operation].verb.toLowerCase()),
  ...REQUESTED_ACTIONS.map((requestedAction) => requestedActionWords[requestedAction].verb.toLowerCase()),
  ...EMPTYING.map((kind) => words.empty[kind].verb.toLowerCase()),
  ...FATES,
]

export interface PaletteInput {
  readonly text: string
  readonly answer: SearchView | undefined
  readonly build: Permit
  readonly addHost: Permit
  readonly clock: 'utc' | 'local'
}

export function groupsOf({ text, answer, ...own }: PaletteInput): readonly Group[] {
  const { verb } = readRequest(text)
  const {
    hosts = [],
    instances = [],
    migrations = [],
    devices = [],
    trees = [],
    records = [],
    views = [],
  } = answer ?? {}
  // With a verb, every result is a candidate for it; without one, only the best result's actions are relevant.
  const near = <T>(found: readonly T[]) => (verb === null ? found.slice(0, 1) : found)
  const actions = [
    ...near(migrations.filter(({ outcome }) => outcome === null)).flatMap(actionsOf),
    ...near(instances).flatMap(migrationEntries),
    ...near(hosts).flatMap((host) => [...emptyingOf(host), ...statementsOf(host)]),
  ].filter(({ label }) => verb === null || verbFits(label, verb))
  const things: readonly Group[] = [
    { name: 'instance', entries: instances.map(instanceEntry) },
    { name: 'host', entries: hosts.map(hostEntry) },
    { name: 'migration', entries: migrations.map(migrationEntry) },
    { name: 'device', entries: devices.map(deviceEntry) },
    { name: 'tree', entries: trees.map(treeEntry) },
    { name: 'record', entries: records.map(recordEntry) },
    { name: 'view', entries: views.map(viewEntry) },
  ]
  const doing = { name: 'action' as const, entries: [...general(own).filter(matchesText(text)), ...actions] }
  const pages = { name: 'page' as const, entries: PAGES.filter(matchesText(text)) }
  const order = verb === null ? [pages, ...things, doing] : [doing, ...things, pages]
  return order.filter(({ entries }) => entries.length > 0)
}

const matchesText = (text: string) => {
  const parts = text.toLowerCase().trim().split(/\s+/)
  return ({ label }: Entry) => parts.every((part) => label.toLowerCase().includes(part))
}

const verbFits = (label: string, verb: string) =>
  label
    .toLowerCase()
    .split(' ')
    .some((word) => word.startsWith(verb))
const whyOf = (permit: Permit) => (permit.ok ? null : permit.why)

const PAGES: readonly Entry[] = NAV_ENTRIES.map(({ key, href }) => ({
  id: `page ${key}`,
  label: consoleWords.nav[key],
  ...{ hint: null, disabledReason: null, action: { do: 'go', href } },
}))

function general({ build, addHost, clock }: Pick<PaletteInput, 'build' | 'addHost' | 'clock'>): readonly Entry[] {
  const other = clock === 'utc' ? 'local' : 'utc'
  return [
    {
      id: 'build',
      label: words.build,
      hint: null,
      disabledReason: whyOf(build),
      action: { do: 'go', href: paths.build() },
    },
    {
      ...{ id: 'add-host', label: connectionWords.title, hint: null, disabledReason: whyOf(addHost) },
      action: { do: 'go', href: paths.hosts({ add: 'host' }) },
    },
    { id: 'clock', label: words.clock[other], hint: null, disabledReason: null, action: { do: 'toggle-clock' } },
    { id: 'out', label: words.signOut, hint: null, disabledReason: null, action: { do: 'sign-out' } },
  ]
}

const isOperation = (action: InstanceAction): action is Operation => action in operationWords

function migrationEntries(instance: FoundInstance): readonly Entry[] {
  return OPERATIONS.filter(isOperation).map((operation) => ({
    id: `${operation} ${instance.id}`,
    label: words.on(operationWords[operation].verb, instance.name),
    hint: operationWords[operation].hint,
    disabledReason: whyOf(instance.permitted[operation]),
    action: { do: 'go', href: paths.startMigration(instance.id, operation) },
  }))
}

function statementsOf(host: FoundHost): readonly Entry[] {
  return FATES.map((action) => ({
    id: `${action} ${host.id}`,
    label: words.stated(hostActionWords[action].verb, host.name),
    hint: hostActionWords[action].hint,
    disabledReason: whyOf(host.permitted[action]),
    action: { do: 'host', host, action },
  }))
}

const EMPTY_AT: Readonly<Record<RunKind, (host: string) => string>> = {
  drain: (host) => paths.host(host, { drain: 'yes' }),
  evacuation: paths.evacuate,
}

function emptyingOf(host: FoundHost): readonly Entry[] {
  return EMPTYING.map((kind) => ({
    id: `${kind} ${host.id}`,
    label: words.on(words.empty[kind].verb, host.name),
    hint: words.empty[kind].hint,
    disabledReason: whyOf(host.permitted[kind]),
    action: { do: 'go', href: EMPTY_AT[kind](host.id) },
  }))
}

function actionsOf(migration: FoundMigration): readonly Entry[] {
  return REQUESTED_ACTIONS.map((requestedAction) => ({
    id: `${requestedAction} ${migration.id}`,
    label: words.on(requestedActionWords[requestedAction].verb, migration.instance.name),
    hint: requestedActionWords[requestedAction].hint,
    disabledReason: whyOf(migration.permitted[requestedAction]),
    action: { do: 'requestedAction', migration, requestedAction },
  }))
}

const go = (href: string): Pick<Entry, 'disabledReason' | 'action'> => ({
  disabledReason: null,
  action: { do: 'go', href },
})

const instanceEntry = ({ id, name, host, vmState }: FoundInstance): Entry => ({
  id,
  label: name,
  hint: uiWords.list([vmStateBadges[vmState].label, host ? words.onHost(host.name) : words.nowhere, shortId(id)]),
  ...go(paths.instance(id)),
})
const hostEntry = ({ id, name, zone, ...status }: FoundHost): Entry => ({
  id,
  label: name,
  hint: uiWords.list([statusBadge(status).label, zone, shortId(id)]),
  ...go(paths.host(id)),
})
const migrationEntry = ({ id, instance, operation, step, outcome }: FoundMigration): Entry => ({
  id,
  label: words.migration(operationWords[operation].noun, instance.name),
  hint: uiWords.list([(outcome ? outcomeBadges[outcome] : stepBadges[step]).label, shortId(id)]),
  ...go(paths.migration(id)),
})
const treeEntry = ({ id, name }: FoundTree): Entry => ({
  id,
  label: name,
  hint: uiWords.list([words.managedByNova, shortId(id)]),
  ...go(paths.provider(id)),
})
/** The page of a record, or the list filtered by its id. */
const RECORD_AT: Readonly<Record<FoundRecord['noun'], (id: string) => string>> = {
  finding: (id) => paths.heal({ finding: id }),
  heal: paths.healPlan,
  run: paths.drain,
  claim: (id) => paths.claims({ q: id }),
  provider: (id) => paths.claims({ q: id }),
}
const findingTitle = (kind: string): string => (kindWords as Readonly<Record<string, string>>)[kind] ?? kind
const recordEntry = ({ noun, id, name }: FoundRecord): Entry => ({
  id,
  label: words.record[noun](shortId(id)),
  hint: noun === 'finding' ? findingTitle(name) : name,
  ...go(RECORD_AT[noun](id)),
})
const viewEntry = ({ id, name, path, query }: FoundView): Entry => ({
  id: `view ${id}`,
  label: name,
  hint: words.viewOf(path),
  ...go(addressOf({ path, query })),
})
const deviceEntry = ({ host, unit, label, held }: SearchView['devices'][number]): Entry => ({
  id: `${host.id} ${unit}`,
  label: unit,
  hint: held ? words.held(label, host.name) : words.free(label, host.name),
  ...go(paths.host(host.id, { unit })),
})
