import type { Refusal } from '../../engine/words/refusal'

// The text of every refusal. Status and code are frozen once published, because programs branch on them. The three
// sentences are the next step for three roles.

export interface RefusalRow {
  readonly status: 400 | 404 | 409 | 412 | 422
  readonly code: string
  /** The same call may succeed later without any other change. */
  readonly transient: boolean
  /** The problem, with `{need}`, `{have}`, `{free}`, `{short}`, `{unit}` filled in. */
  readonly message: string
  readonly user: string
  readonly operator: string
  readonly support: string
}

const ROOM_USER = 'Try another host or a smaller flavor, or wait until capacity is released.'
const ROOM_SUPPORT = 'Open the host: the holders of what is short are listed first.'
const SEE_MAP = 'Open the host map: it shows what is held, and what active migrations hold on both hosts.'
const NO_RETRY = 'Choose a host that has it. Waiting does not help.'
const RETRY = 'Try again: the request is evaluated again.'

/** A resource is short now and may become free. */
const short = (code: string, message: string, operator: string): RefusalRow => ({
  ...{ status: 409, code, transient: true, message, user: ROOM_USER, operator, support: ROOM_SUPPORT },
})
/** The host is of the wrong kind. */
const unfit = (code: string, message: string, operator: string): RefusalRow => ({
  ...{ status: 422, code, transient: false, message, user: NO_RETRY, operator },
  support: 'Compare flavor and image with the traits, zone and aggregates of the host.',
})
const row = (status: RefusalRow['status'], code: string, rest: Omit<RefusalRow, 'status' | 'code'>): RefusalRow => ({
  status,
  code,
  ...rest,
})

export const REFUSALS = {
  // amounts
  amount: short(
    'claim.amount',
    'Not enough is free: {need} needed, {free} free.',
    'Migrate an instance away, or raise the allocation ratio if overcommit is allowed.',
  ),
  'amount-shape': unfit(
    'claim.amount-shape',
    'The inventory allows {need} in one allocation; the request is for {have}.',
    'Make the flavor match min_unit, max_unit and step_size of the inventory.',
  ),
  'no-inventory': unfit(
    'claim.no-inventory',
    'The host has no inventory of {need}.',
    'Add the inventory to the host, or choose a flavor without it.',
  ),
  // state of a host
  'trait-missing': unfit(
    'host.trait-missing',
    'The host lacks the trait {need}.',
    'Add the trait to the host if it applies.',
  ),
  'trait-forbidden': unfit(
    'host.trait-forbidden',
    'The host has the forbidden trait {have}.',
    'Remove the trait from the host if it does not apply.',
  ),
  'aggregate-missing': unfit(
    'host.aggregate-missing',
    'The host is in none of the aggregates {need}.',
    'Add the host to one of them.',
  ),
  'aggregate-forbidden': unfit(
    'host.aggregate-forbidden',
    'The host is in the forbidden aggregate {have}.',
    'Remove the host from the aggregate.',
  ),
  zone: unfit(
    'host.zone',
    'The host is in zone {have}, not in {need}.',
    'Choose a host in the zone, or request no zone.',
  ),
  'host-not-up': row(409, 'host.not-up', {
    transient: true,
    message: 'The host is {have}; this needs {need}.',
    user: 'Choose another host, or wait until this one is back.',
    operator: 'When the host answers again, mark it as up. When it is confirmed powered off, mark it as fenced.',
    support: 'Check when it was last seen, and which migrations wait for it.',
  }),
  'host-not-fenced': row(409, 'host.not-fenced', {
    transient: false,
    message: 'The host is {have}; an evacuation needs a host that is {need}.',
    user: 'If the host answers, migrate the instance live or cold. If not, ask an operator to fence the host.',
    operator:
      'If the host answers, migrate live or cold, or drain it. If not, power it off and mark it as fenced or permanently lost.',
    support:
      'Check when it was last seen: until it is confirmed powered off, its instances may run and write to their disks.',
  }),
  'host-disabled': row(409, 'host.disabled', {
    transient: false,
    message: 'The host accepts no new claims: {have}.',
    user: 'Choose another host.',
    operator: 'Enable the host when the reason no longer applies.',
    support: 'The event log shows who disabled it.',
  }),
  'host-quarantined': row(409, 'host.quarantined', {
    transient: true,
    message: 'The host came back and still needs clean-up.',
    user: 'Choose another host, or wait until this one is cleaned up.',
    operator: 'Nothing while clean-up progresses; check the leftovers on the host.',
    support: 'If leftovers stay for long, the hypervisor refuses to remove them: check its answers.',
  }),
  'host-has-remains': row(409, 'host.has-remains', {
    transient: true,
    message: 'An earlier migration left leftovers of this instance here.',
    user: 'Choose another host, or wait until this one is cleaned up.',
    operator: 'Check the leftovers on the host and why they are not cleaned up.',
    support: 'A hypervisor has one domain per instance: migrating back too early would collide with the old one.',
  }),
  'unreadable-record': row(409, 'record.unreadable', {
    transient: false,
    message: 'A record that this depends on cannot be read.',
    user: 'Choose another host or instance, or have the record corrected.',
    operator: 'Open the finding “Unreadable record”: it names the table, row and column, and the expected value.',
    support: 'Berth decides nothing from a record that it cannot read. Correct the row, then audit again.',
  }),
  'host-is-source': row(422, 'host.is-source', {
    transient: false,
    message: 'The instance is on this host already.',
    user: 'Choose another host, or resize, which may stay.',
    operator: 'Nothing: this operation must change the host.',
    support: 'Only resize and unshelve may end on the host on which they started.',
  }),
  'other-hypervisor': row(422, 'host.other-hypervisor', {
    transient: false,
    message: 'The source is driven by {need} and this host by {have}.',
    user: 'Choose a host with the driver of the source.',
    operator: 'Nothing: a simulated instance cannot run on a real host, nor a real one on a simulated host.',
    support: 'The driver of a host is set when the host is imported and does not change.',
  }),
  // groups
  affinity: row(409, 'group.affinity', {
    transient: true,
    message: 'The group must stay together on {need}.',
    user: 'Choose the host of the group, or migrate the other members too.',
    operator: 'Migrate the whole group, or remove the instance from it.',
    support: 'Migrating members count on their target.',
  }),
  'anti-affinity': row(409, 'group.anti-affinity', {
    transient: true,
    message: 'Another member of the group is on this host: at most {need}, now {have}.',
    user: 'Choose a host without members of the group.',
    operator: 'Migrate a member away first.',
    support: 'Migrating members count on their target.',
  }),
  // NUMA
  'too-few-cells': short(
    'numa.too-few-cells',
    '{need} NUMA nodes needed, the host has {free}.',
    'Choose a host with more NUMA nodes, or lower hw:numa_nodes.',
  ),
  'dedicated-cpus': short(
    'numa.dedicated-cpus',
    '{need} dedicated CPUs needed, {free} free.',
    'Migrate a pinned instance away from the NUMA node.',
  ),
  'shared-cpus': short(
    'numa.shared-cpus',
    '{need} shared CPUs needed, {free} on the NUMA node.',
    'Give the NUMA node more shared CPUs, or choose a smaller flavor.',
  ),
  'sibling-threads': short(
    'numa.sibling-threads',
    '{need} sibling threads needed, {free} free.',
    'Free whole cores, or use thread policy prefer.',
  ),
  'whole-cores': short(
    'numa.whole-cores',
    '{need} whole cores needed, {free} free.',
    'Free whole cores, or use thread policy prefer.',
  ),
  'overcommit-cpus': short(
    'numa.overcommit-cpus',
    '{need} vCPUs needed, {free} left within the allocation ratio.',
    'Migrate unpinned instances away from the NUMA node, or raise cpu_allocation_ratio.',
  ),
  'overcommit-memory': short(
    'numa.overcommit-memory',
    '{need} MiB needed, {free} left within the allocation ratio.',
    'Migrate instances away from the NUMA node, or raise ram_allocation_ratio.',
  ),
  memory: short('numa.memory', '{need} MiB needed, {free} free.', 'Migrate an instance away from the NUMA node.'),
  'ordinary-memory': short(
    'numa.ordinary-memory',
    '{need} MiB in small pages needed, {free} free; huge pages use {huge} MiB.',
    'Migrate an instance in small pages away, or reduce the huge pages on the host.',
  ),
  pages: short(
    'numa.pages',
    '{need} pages needed, {free} free.',
    'Migrate an instance with such pages away, or set up more of them.',
  ),
  'page-size': unfit(
    'numa.page-size',
    'Pages of {need} are requested; the host has {have}.',
    'Set up such pages on the host, or change hw:mem_page_size.',
  ),
  'thread-policy': unfit(
    'numa.thread-policy',
    'Thread policy {need} cannot be met: {have}.',
    'Choose a host with (or without) SMT, or another thread policy.',
  ),
  'emulator-threads': unfit(
    'numa.emulator-threads',
    'No CPU for emulator threads: {need} needed, {have}.',
    'Free one more dedicated CPU, or configure a shared CPU set for emulator threads.',
  ),
  'network-affinity': unfit(
    'numa.network-affinity',
    'The network {need} is on no NUMA node that fits: {have}.',
    'Free the NUMA node of the network card, or choose another host.',
  ),
  'no-joint-fit': row(409, 'numa.no-joint-fit', {
    transient: true,
    message: 'Each part fits on its own, but not all of them together.',
    user: ROOM_USER,
    operator: SEE_MAP,
    support: 'The search was complete: no placement exists. Choose a host with emptier NUMA nodes.',
  }),
  'search-exhausted': row(409, 'numa.search-exhausted', {
    transient: true,
    message: 'The search for a placement reached its limit of {need}; a placement may exist.',
    user: 'Choose another host.',
    operator: 'Choose another host, and report the flavor and the host: this should not happen.',
    support: 'Attach the support bundle to the report.',
  }),
  // devices
  devices: short('device.devices', '{need} devices needed, {free} free.', SEE_MAP),
  'device-affinity': short(
    'device.affinity',
    '{need} devices needed on the NUMA nodes of the instance, {free} free there.',
    'Free a device on that NUMA node, or use NUMA policy preferred.',
  ),
  'device-off-node': unfit(
    'device.off-node',
    'The device {unit} is on {have}; the instance is on {need}.',
    'Free a device on the NUMA node of the instance, or set NUMA policy required to refuse such hosts.',
  ),
  vgpus: short(
    'device.vgpus',
    '{need} vGPUs of one type needed, {free} free.',
    'Migrate an instance with that type away: a card supports one type at a time.',
  ),
  vpmem: short('device.vpmem', '{need} persistent memory namespaces needed, {free} free.', SEE_MAP),
  // live migration
  'cpu-model': unfit(
    'live.cpu-model',
    'The running instance needs the CPU {need}; the host has {have}.',
    'Choose a host with the same CPU, or cold-migrate.',
  ),
  'page-size-change': unfit(
    'live.page-size-change',
    'A running instance keeps its pages of {need}; here it would get {have}.',
    'Choose a host with such pages, or cold-migrate.',
  ),
  'device-not-migratable': unfit(
    'live.device-not-migratable',
    'The device {unit} cannot be live-migrated: it would have to be {need}.',
    'Cold-migrate, or detach the device.',
  ),
  'storage-not-shared': unfit(
    'live.storage-not-shared',
    'A live migration without a disk copy needs {need}: {have}.',
    'Choose a host with the same shared storage, or the storage mode block or auto.',
  ),
  'storage-shared': unfit(
    'live.storage-shared',
    'A block migration needs {need}; here is {have}.',
    'Choose the storage mode shared or auto.',
  ),
  // the migration itself
  'already-moving': row(409, 'move.already-moving', {
    transient: true,
    message: 'Another migration of the instance is active.',
    user: 'Wait until that migration ends, or abort it.',
    operator: 'Open the other migration: it shows what it is waiting for.',
    support: 'An instance has at most one active migration; the database enforces it.',
  }),
  'not-permitted': row(409, 'state.not-permitted', {
    transient: false,
    message: 'This is not possible now: {have}.',
    user: 'Read its present state: that shows what is possible now.',
    operator: 'Read its present state: that shows what is possible now.',
    support: 'Its state may have changed before the request arrived; its events show when.',
  }),
  'no-slot': row(409, 'move.no-slot', {
    transient: true,
    message: 'Too many active migrations: {need}.',
    user: 'Wait: the migration starts when another one ends.',
    operator: 'Wait, or raise the limit of concurrent migrations.',
    support: 'The queue shows its position.',
  }),
  'no-host': row(409, 'move.no-host', {
    transient: true,
    message: 'No valid host was found: {have}.',
    user: ROOM_USER,
    operator: 'Open Explain: it lists every host with all of its reasons.',
    support: 'Open Explain: it lists every host with all of its reasons.',
  }),
  'changed-meanwhile': row(409, 'state.changed-meanwhile', {
    transient: true,
    message: 'It was changed meanwhile: {need} expected, {have} found.',
    user: RETRY,
    operator: RETRY,
    support: 'The event log shows whose write came first.',
  }),
  'wrong-state': row(409, 'state.wrong', {
    transient: false,
    message: 'It must be {need}; it is {have}.',
    user: 'Bring it into that state first.',
    operator: 'Bring it into that state first.',
    support: 'Its events show how it got there.',
  }),
  // the request itself
  unknown: row(404, 'input.unknown', {
    transient: false,
    message: 'There is no {need}.',
    user: 'It may have been deleted; go back to the list.',
    operator: 'It may have been deleted; the event log shows when and by whom.',
    support: 'Search the event log for the id.',
  }),
  'bad-input': row(400, 'input.bad', {
    transient: false,
    message: '{have}: {need}.',
    user: 'Correct the input and send it again.',
    operator: 'Correct the input and send it again.',
    support: 'Search the log for the request id.',
  }),
} as const satisfies { readonly [K in Refusal['kind']]: RefusalRow }

/** A reason as part of a sentence, without its full stop: some are whole sentences. */
export const clause = (reason: string): string => reason.replace(/(?<!\.)\.\s*$/, '')

/** The refusal in one sentence. */
export function sentenceOf(refusal: Refusal): string {
  const { message } = REFUSALS[refusal.kind]
  const words: Readonly<Record<string, string>> = {
    need: clause(String(refusal.need)),
    have: 'have' in refusal ? clause(refusal.have) : '',
    free: 'free' in refusal ? String(refusal.free) : '',
    short: 'shortBy' in refusal ? String(refusal.shortBy) : '',
    unit: refusal.where.unit ?? '',
    huge: String(refusal.where.hugeMib ?? 0),
  }
  return message.replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole)
}
