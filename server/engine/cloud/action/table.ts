import type { Json } from '../repair'
import type { ActionField, ActionInput, ActionSubject, CloudActionKind, Need, SubjectKind } from './action'

// Each action as a row: its call, when it is offered, and what is read once it is done.

/** The state, in Nova's own words, that shows an accepted action as done. */
export type CompletionCondition =
  /** A record that Nova creates for it. */
  | { readonly kind: 'new-migration'; readonly type: string; readonly reaches: readonly string[] }
  /** The record that it is about. */
  | { readonly kind: 'migration'; readonly reaches: readonly string[] }
  | { readonly kind: 'vm-state'; readonly reaches: readonly string[] | 'chosen' }
  /** Its row was written after the call, and it has no task. */
  | { readonly kind: 'task-ended'; readonly vmStates: readonly string[] }
  | { readonly kind: 'service'; readonly reads: Readonly<{ status?: string; forcedDown?: boolean }> }

export interface CloudActionRow {
  readonly about: SubjectKind
  /** Fields of its form. */
  readonly fields: readonly ActionField[]
  /** States in which it is accepted: `vm_state` of an instance, status of a migration; null: any. */
  readonly states: readonly string[] | null
  readonly needs: readonly Need[]
  /** It cannot be undone, or a guest may notice it. */
  readonly isDangerous: boolean
  /** The lowest one with exactly this meaning. */
  readonly microversion: (input: ActionInput, subject: ActionSubject) => string
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly body: (input: ActionInput, subject: SubjectNames) => Json
  readonly does: (subject: SubjectNames, input: ActionInput) => string
  /** The same as arguments of the `openstack` command. */
  readonly command: (input: ActionInput, subject: SubjectNames) => readonly string[]
  readonly awaits: CompletionCondition
  /** The action that undoes it. */
  readonly undoneBy: CloudActionKind | null
}

/** Ids and names for sentences and commands. */
export interface SubjectNames {
  readonly id: string
  readonly name: string
  readonly host: string
  readonly migration: number
  readonly source: string
  /** Name of its image; empty when it has none. */
  readonly image: string
  /** Name of the chosen flavor; its id where no flavor of the cloud has it, empty when none is chosen. */
  readonly flavor: string
}

const to = ({ host }: ActionInput) => (host === null ? 'a host that the scheduler chooses' : host)
const hostOption = ({ host }: ActionInput) => (host === null ? [] : ['--host', host])

const BLOCK = { auto: 'auto', block: true, shared: false } as const
const STORAGE_TEXT = {
  auto: '',
  block: ', and copies its disks',
  shared: ', with its disks on shared storage',
} as const
const STORAGE_OPTION = { auto: [], block: ['--block-migration'], shared: ['--shared-migration'] } as const

const ofInstance = {
  about: 'instance' as const,
  method: 'POST' as const,
  fields: [] as const,
  needs: ['rests'] as const,
  isDangerous: false,
  undoneBy: null,
  microversion: () => '2.1',
}

const ofMigration = {
  about: 'migration' as const,
  needs: [] as const,
  fields: [] as const,
  isDangerous: true,
  undoneBy: null,
}

const ofHost = {
  about: 'host' as const,
  method: 'PUT' as const,
  states: null,
  fields: [] as const,
  isDangerous: false,
  microversion: () => '2.53',
}

const NOVA_COMPUTE = 'nova-compute'
/** The length of Nova's column. */
const MAX_REASON_LENGTH = 255

export const CLOUD_ACTIONS: Readonly<Record<CloudActionKind, CloudActionRow>> = {
  'live-migrate': {
    ...{ ...ofInstance, fields: ['host', 'storage'], states: ['active', 'paused'], needs: ['rests', 'host-up'] },
    undoneBy: 'abort',
    // From 2.30 Nova checks a named host; before that the name would be forced. Before 2.34 it answers only after both
    // hosts have checked, which may exceed any timeout.
    microversion: () => '2.34',
    body: ({ host, storage }) => ({ 'os-migrateLive': { host, block_migration: BLOCK[storage] } }),
    does: ({ name, host }, input) =>
      `Migrates ${name} live from ${host} to ${to(input)}${STORAGE_TEXT[input.storage]}.`,
    command: (input, { id }) => [
      ...['server', 'migrate', '--live-migration', ...hostOption(input), ...STORAGE_OPTION[input.storage], id],
    ],
    awaits: { kind: 'new-migration', type: 'live-migration', reaches: ['completed'] },
  },
  migrate: {
    ...{ ...ofInstance, fields: ['host'], states: ['active', 'stopped'], needs: ['rests', 'host-up'] },
    ...{ isDangerous: true, undoneBy: 'revert' },
    microversion: () => '2.56',
    body: ({ host }) => ({ migrate: host === null ? null : { host } }),
    does: ({ name, host }, input) =>
      `Migrates ${name} cold from ${host} to ${to(input)}: it is off during the migration, and both hosts are held until confirm or revert.`,
    command: (input, { id }) => ['server', 'migrate', ...hostOption(input), id],
    awaits: { kind: 'new-migration', type: 'migration', reaches: ['finished', 'confirmed'] },
  },
  resize: {
    ...{ ...ofInstance, fields: ['flavor'], states: ['active', 'stopped'], needs: ['rests', 'host-up'] },
    ...{ isDangerous: true, undoneBy: 'revert' },
    body: ({ flavor }) => ({ resize: { flavorRef: flavor ?? '' } }),
    does: ({ name, flavor }) =>
      `Resizes ${name} to the flavor ${flavor}: it is off during the resize, and both flavors stay allocated until confirm or revert.`,
    command: ({ flavor }, { id }) => ['server', 'resize', '--flavor', flavor ?? '', id],
    awaits: { kind: 'new-migration', type: 'resize', reaches: ['finished', 'confirmed'] },
  },
  confirm: {
    ...{ ...ofInstance, states: ['resized'], needs: ['rests', 'source-up'], isDangerous: true },
    body: () => ({ confirmResize: null }),
    does: ({ migration, source }) =>
      `Confirms migration ${migration}: ${source} removes what it kept for a revert, which is no longer possible.`,
    command: (_, { id }) => ['server', 'resize', 'confirm', id],
    awaits: { kind: 'migration', reaches: ['confirmed'] },
  },
  revert: {
    ...{ ...ofInstance, states: ['resized'], needs: ['rests', 'source-up'], isDangerous: true },
    body: () => ({ revertResize: null }),
    does: ({ name, migration, source }) =>
      `Reverts migration ${migration}: ${name} starts on ${source} with its old flavor. If its disk is local, writes since the migration are lost.`,
    command: (_, { id }) => ['server', 'resize', 'revert', id],
    awaits: { kind: 'migration', reaches: ['reverted'] },
  },
  evacuate: {
    ...{ ...ofInstance, fields: ['host'], states: ['active', 'stopped', 'error'], needs: ['rests', 'host-fenced'] },
    isDangerous: true,
    // From 2.68 a named host is never forced.
    microversion: () => '2.68',
    body: ({ host }): Json => ({ evacuate: host === null ? {} : { host } }),
    does: ({ name, host }, input) =>
      `Evacuates ${name} from ${host} to ${to(input)}: it is built again there, from its image where its disk is not shared.`,
    command: (input, { id }) => ['server', 'evacuate', ...hostOption(input), id],
    awaits: { kind: 'new-migration', type: 'evacuation', reaches: ['done', 'completed'] },
  },
  shelve: {
    ...{ ...ofInstance, states: ['active', 'stopped', 'paused', 'suspended'], needs: ['rests', 'host-up'] },
    ...{ isDangerous: true, undoneBy: 'unshelve' },
    body: () => ({ shelve: null }),
    does: ({ name, host }) =>
      `Shelves ${name}: it is powered off, its disk becomes an image, and what it holds on ${host} is freed when Nova offloads it.`,
    command: (_, { id }) => ['server', 'shelve', id],
    awaits: { kind: 'vm-state', reaches: ['shelved', 'shelved_offloaded'] },
  },
  unshelve: {
    ...{ ...ofInstance, fields: ['host'], states: ['shelved', 'shelved_offloaded'], undoneBy: 'shelve' },
    microversion: ({ host }) => (host === null ? '2.1' : '2.91'),
    body: ({ host }) => ({ unshelve: host === null ? null : { host } }),
    does: ({ name }, input) => `Unshelves ${name} on ${to(input)}.`,
    command: (input, { id }) => ['server', 'unshelve', ...hostOption(input), id],
    awaits: { kind: 'vm-state', reaches: ['active'] },
  },
  start: {
    ...{ ...ofInstance, states: ['stopped'], needs: ['rests', 'host-up'], undoneBy: 'stop' },
    body: () => ({ 'os-start': null }),
    does: ({ name, host }) => `Starts ${name} on ${host}.`,
    command: (_, { id }) => ['server', 'start', id],
    awaits: { kind: 'vm-state', reaches: ['active'] },
  },
  stop: {
    ...{
      ...ofInstance,
      states: ['active', 'error'],
      needs: ['rests', 'host-up'],
      isDangerous: true,
      undoneBy: 'start',
    },
    body: () => ({ 'os-stop': null }),
    does: ({ name, host }) => `Stops ${name} on ${host}. Its allocations stay.`,
    command: (_, { id }) => ['server', 'stop', id],
    awaits: { kind: 'vm-state', reaches: ['stopped'] },
  },
  reboot: {
    ...{ ...ofInstance, states: ['active', 'stopped', 'paused', 'suspended', 'error'], needs: ['rests', 'host-up'] },
    isDangerous: true,
    body: () => ({ reboot: { type: 'HARD' } }),
    does: ({ name, host }) => `Hard-reboots ${name} on ${host}: it loses power and boots again.`,
    command: (_, { id }) => ['server', 'reboot', '--hard', id],
    awaits: { kind: 'task-ended', vmStates: ['active'] },
  },
  rebuild: {
    ...{ ...ofInstance, states: ['active', 'stopped', 'error'], needs: ['rests', 'has-image', 'host-up'] },
    isDangerous: true,
    body: (_, { image }) => ({ rebuild: { imageRef: image } }),
    does: ({ name, host, image }) =>
      `Rebuilds ${name} on ${host} from its image ${image}: its disk is overwritten, and everything on it is lost. Uuid, flavor and allocations stay.`,
    command: (_, { id, image }) => ['server', 'rebuild', '--image', image, id],
    awaits: { kind: 'task-ended', vmStates: ['active', 'stopped'] },
  },
  'reset-state': {
    ...{ ...ofInstance, fields: ['state'], states: null, needs: ['rests-or-stuck'], isDangerous: true },
    body: ({ state }) => ({ 'os-resetState': { state } }),
    does: ({ name }, { state }) =>
      `Sets ${name} to ${state} and clears its task. Its domain, migrations and allocations stay as they are.`,
    command: ({ state }, { id }) => ['server', 'set', '--state', state, id],
    awaits: { kind: 'vm-state', reaches: 'chosen' },
  },
  abort: {
    ...{ ...ofMigration, method: 'DELETE', states: ['queued', 'preparing', 'running'] },
    // Before `running` it can be aborted since 2.65.
    microversion: (_, { migration }) => (migration?.status === 'running' ? '2.24' : '2.65'),
    body: () => null,
    does: ({ name, migration, source }) => `Aborts migration ${migration}: ${name} stays on ${source}.`,
    command: (_, { id, migration }) => ['server', 'migration', 'abort', id, String(migration)],
    awaits: { kind: 'migration', reaches: ['cancelled'] },
  },
  'force-complete': {
    ...{ ...ofMigration, method: 'POST', states: ['running'] },
    microversion: () => '2.22',
    body: () => ({ force_complete: null }),
    does: ({ name, migration }) =>
      `Forces migration ${migration} to complete: ${name} is paused until its memory is copied, or switches to post-copy, which cannot be undone.`,
    command: (_, { id, migration }) => ['server', 'migration', 'force', 'complete', id, String(migration)],
    awaits: { kind: 'migration', reaches: ['completed'] },
  },
  enable: {
    ...{ ...ofHost, needs: ['is-disabled'], undoneBy: 'disable' },
    body: () => ({ status: 'enabled' }),
    does: ({ host }) => `Lets the scheduler choose ${host} again.`,
    command: (_, { host }) => ['compute', 'service', 'set', '--enable', host, NOVA_COMPUTE],
    awaits: { kind: 'service', reads: { status: 'enabled' } },
  },
  disable: {
    ...{ ...ofHost, needs: ['is-enabled'], undoneBy: 'enable' },
    body: ({ reason }) => ({ status: 'disabled', disabled_reason: reason.slice(0, MAX_REASON_LENGTH) }),
    does: ({ host }) => `Keeps the scheduler from choosing ${host}. Its instances stay, and Nova shows the reason.`,
    command: ({ reason }, { host }) => [
      ...['compute', 'service', 'set', '--disable', '--disable-reason', reason.slice(0, MAX_REASON_LENGTH), host],
      NOVA_COMPUTE,
    ],
    awaits: { kind: 'service', reads: { status: 'disabled' } },
  },
  'force-down': {
    ...{ ...ofHost, needs: ['is-up', 'is-lost'], isDangerous: true, undoneBy: 'force-up' },
    body: () => ({ forced_down: true }),
    does: ({ host }) =>
      `Forces nova-compute on ${host} down, so that its instances can be evacuated. It powers nothing off: instances may still run there.`,
    command: (_, { host }) => ['compute', 'service', 'set', '--down', host, NOVA_COMPUTE],
    awaits: { kind: 'service', reads: { forcedDown: true } },
  },
  'force-up': {
    ...{ ...ofHost, needs: ['is-forced-down'], undoneBy: 'force-down' },
    body: () => ({ forced_down: false }),
    does: ({ host }) => `Lets nova-compute on ${host} count as up again once it reports.`,
    command: (_, { host }) => ['compute', 'service', 'set', '--up', host, NOVA_COMPUTE],
    awaits: { kind: 'service', reads: { forcedDown: false } },
  },
}
