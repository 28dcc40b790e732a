import type { Refusal } from '../../engine/words/refusal'

// What every no means to the one who hears it. A status and a code are frozen once published: programs branch on them.
// The three sentences answer one question, "what do I do next", for three people.

export interface RefusalRow {
  readonly status: 400 | 404 | 409 | 412 | 422
  readonly code: string
  /** The same call may succeed later without anybody doing anything. */
  readonly transient: boolean
  /** In a few words, what is wrong: `{need}`, `{have}`, `{free}`, `{short}`, `{unit}` are filled in. */
  readonly says: string
  readonly user: string
  readonly operator: string
  readonly support: string
}

const ROOM_USER = 'Try another host or a smaller flavor, or wait until something there ends.'
const ROOM_SUPPORT = 'Open the host: who holds what is short is listed first.'
const SEE_MAP = 'Look at the map of the host: what is held, and what an unfinished move holds twice.'
const NO_RETRY = 'Choose a host that has it; waiting does not help.'
const AGAIN = 'Ask again: the answer is worked out anew.'

/** Something is short now and may come free. */
const short = (code: string, says: string, operator: string): RefusalRow => ({
  ...{ status: 409, code, transient: true, says, user: ROOM_USER, operator, support: ROOM_SUPPORT },
})
/** The host is not of the kind that is asked for. */
const unfit = (code: string, says: string, operator: string): RefusalRow => ({
  ...{ status: 422, code, transient: false, says, user: NO_RETRY, operator },
  support: 'Compare what the flavor and image ask for with the traits, zone and aggregates of the host.',
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
    'Too little is free: {need} needed, {free} free.',
    'Move a holder away, or raise the ratio if it may be overcommitted.',
  ),
  'amount-shape': unfit(
    'claim.amount-shape',
    'The amount {need} breaks the rule {have}.',
    'Make the flavor fit the smallest unit, largest unit and step of the inventory.',
  ),
  'no-inventory': unfit(
    'claim.no-inventory',
    'There is none of {need} here.',
    'Give the host such an inventory, or choose a flavor without it.',
  ),
  // where a host stands
  'trait-missing': unfit(
    'host.trait-missing',
    'The host lacks the trait {need}.',
    'Set the trait on the host if it is true of it.',
  ),
  'trait-forbidden': unfit(
    'host.trait-forbidden',
    'The host has the forbidden trait {have}.',
    'Remove the trait from the host if it is not true of it.',
  ),
  'aggregate-missing': unfit(
    'host.aggregate-missing',
    'The host is in none of the aggregates {need}.',
    'Put the host into one of them.',
  ),
  'aggregate-forbidden': unfit(
    'host.aggregate-forbidden',
    'The host is in the aggregate {have}, which is ruled out.',
    'Take the host out of the aggregate.',
  ),
  zone: unfit(
    'host.zone',
    'The host is in zone {have}, not in {need}.',
    'Choose a host of the zone, or build without one.',
  ),
  'host-not-up': row(409, 'host.not-up', {
    transient: true,
    says: 'The host is {have}; this needs {need}.',
    user: 'Choose another host, or wait until this one is back.',
    operator: 'When the host answers again, state it up; when it is surely stopped, state it fenced.',
    support: 'Look at when it was last seen, and at the moves that wait for it.',
  }),
  'host-disabled': row(409, 'host.disabled', {
    transient: false,
    says: 'The host takes no new claims: {have}.',
    user: 'Choose another host.',
    operator: 'Enable the host when the reason is gone.',
    support: 'The reason was given by the person who disabled it; the event log has the name.',
  }),
  'host-quarantined': row(409, 'host.quarantined', {
    transient: true,
    says: 'The host came back and is not cleaned yet.',
    user: 'Choose another host, or wait until this one is cleaned.',
    operator: 'Nothing, if cleaning goes on; see what remains on the host.',
    support: 'Remains that stay for long mean the hypervisor refuses to clean: look at its answers.',
  }),
  'host-has-remains': row(409, 'host.has-remains', {
    transient: true,
    says: 'An earlier move left remains of this instance here.',
    user: 'Choose another host, or wait until this one is cleaned.',
    operator: 'See what remains on the host and why it is not cleaned.',
    support: 'A hypervisor has one domain per instance: moving back too early would meet the old one.',
  }),
  'unreadable-record': row(409, 'record.unreadable', {
    transient: false,
    says: 'A record that this rests on cannot be read.',
    user: 'Choose another host or instance, or have the record corrected.',
    operator:
      'Open the finding “Unreadable record”: it names the table, the row, the column and what is expected there.',
    support: 'Nothing is decided on a record that cannot be read. Correct the row, then audit again.',
  }),
  'host-is-source': row(422, 'host.is-source', {
    transient: false,
    says: 'The instance is on this host already.',
    user: 'Choose another host, or a resize, which may stay.',
    operator: 'Nothing: this operation must leave its host.',
    support: 'Only resize and unshelve may end on the host they began on.',
  }),
  // groups
  affinity: row(409, 'group.affinity', {
    transient: true,
    says: 'The group must stay together on {need}.',
    user: 'Choose the host of the group, or move the other members too.',
    operator: 'Move the whole group, or take the instance out of it.',
    support: 'Members on their way count on the host they are heading to.',
  }),
  'anti-affinity': row(409, 'group.anti-affinity', {
    transient: true,
    says: 'Another member of the group is on this host: at most {need}, now {have}.',
    user: 'Choose a host without members of the group.',
    operator: 'Move a member away first.',
    support: 'Members on their way count on the host they are heading to.',
  }),
  // NUMA
  'too-few-cells': short(
    'numa.too-few-cells',
    '{need} NUMA cells needed, the host has {free}.',
    'Choose a host with more cells, or lower hw:numa_nodes.',
  ),
  'dedicated-cpus': short(
    'numa.dedicated-cpus',
    '{need} dedicated CPUs needed, {free} free.',
    'Move a pinned guest away from the cell.',
  ),
  'shared-cpus': short(
    'numa.shared-cpus',
    '{need} shared CPUs needed, {free} there.',
    'Give the cell more shared CPUs, or choose a smaller flavor.',
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
    '{need} vCPUs needed, {free} left under the ratio.',
    'Move shared guests away from the cell, or raise the CPU ratio.',
  ),
  'overcommit-memory': short(
    'numa.overcommit-memory',
    '{need} MiB needed, {free} left under the ratio.',
    'Move guests away from the cell, or raise the memory ratio.',
  ),
  memory: short('numa.memory', '{need} MiB needed, {free} free.', 'Move a guest away from the cell.'),
  'ordinary-memory': short(
    'numa.ordinary-memory',
    '{need} MiB of ordinary memory needed, {free} free; huge pages keep {huge} MiB.',
    'Move a guest in ordinary pages away, or set up fewer huge pages on the host.',
  ),
  pages: short(
    'numa.pages',
    '{need} pages needed, {free} free.',
    'Move a guest with such pages away, or set up more of them.',
  ),
  'page-size': unfit(
    'numa.page-size',
    'Pages of {need} are asked for; the host has {have}.',
    'Set up such pages on the host, or change hw:mem_page_size.',
  ),
  'thread-policy': unfit(
    'numa.thread-policy',
    'Thread policy {need} cannot be met: {have}.',
    'Choose a host with (or without) SMT, or another thread policy.',
  ),
  'emulator-threads': unfit(
    'numa.emulator-threads',
    'There is no place for emulator threads: {need} needed, {have}.',
    'Free one more dedicated CPU, or set a shared set for emulator threads.',
  ),
  'network-affinity': unfit(
    'numa.network-affinity',
    'The network {need} is not at a cell that fits: {have}.',
    'Free a cell near the network card, or choose another host.',
  ),
  'no-joint-fit': row(409, 'numa.no-joint-fit', {
    transient: true,
    says: 'Each part fits somewhere, but not all of them together.',
    user: ROOM_USER,
    operator: SEE_MAP,
    support: 'The search was complete: there is no placement. Ask for a host with emptier cells.',
  }),
  'search-exhausted': row(409, 'numa.search-exhausted', {
    transient: true,
    says: 'The search for a placement was stopped at its limit of {need}; a placement may exist.',
    user: 'Choose another host.',
    operator: 'Choose another host, and report the flavor and the host: this should not happen.',
    support: 'Attach the support bundle to the report.',
  }),
  // devices
  devices: short('device.devices', '{need} devices needed, {free} free.', SEE_MAP),
  'device-affinity': short(
    'device.affinity',
    '{need} devices needed near the guest cells, {free} free there.',
    'Free a device at the cell, or use NUMA policy preferred.',
  ),
  'device-off-node': unfit(
    'device.off-node',
    'The device {unit} is on {have}; the guest is on {need}.',
    'Free a device near the guest, or set NUMA policy required to refuse hosts without one.',
  ),
  vgpus: short(
    'device.vgpus',
    '{need} vGPUs of one type needed, {free} free.',
    'Move a guest with that type away: a card serves one type at a time.',
  ),
  vpmem: short('device.vpmem', '{need} persistent memory namespaces needed, {free} free.', SEE_MAP),
  // live migration
  'cpu-model': unfit(
    'live.cpu-model',
    'The running guest needs the CPU {need}; the host has {have}.',
    'Choose a host with the same CPU, or move it stopped.',
  ),
  'page-size-change': unfit(
    'live.page-size-change',
    'A running guest keeps its pages of {need}; here it would get {have}.',
    'Choose a host with such pages, or move it stopped.',
  ),
  'device-not-migratable': unfit(
    'live.device-not-migratable',
    'The device {unit} cannot move with a running guest: it would have to be {need}.',
    'Move it stopped, or detach the device.',
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
    says: 'Another migration of the instance is active.',
    user: 'Wait until that move ends, or abort it.',
    operator: 'Open the other move; if it waits, it says for what.',
    support: 'One instance has at most one move at a time; the database sees to it.',
  }),
  'not-permitted': row(409, 'state.not-permitted', {
    transient: false,
    says: 'This is not possible now: {have}.',
    user: 'See on the page of the move what is possible now.',
    operator: 'See on the page of the move what is possible now.',
    support: 'The move went on between the look and the click; its timeline has the time.',
  }),
  'no-slot': row(409, 'move.no-slot', {
    transient: true,
    says: 'Too many moves are under way: {need}.',
    user: 'Wait: the move starts when another one ends.',
    operator: 'Wait, or raise the limit of moves in flight.',
    support: 'The queue shows its place.',
  }),
  'no-host': row(409, 'move.no-host', {
    transient: true,
    says: 'No host takes it: {have}.',
    user: ROOM_USER,
    operator: 'Ask explain: it lists every host with all its reasons.',
    support: 'Ask explain: it lists every host with all its reasons.',
  }),
  'changed-meanwhile': row(409, 'state.changed-meanwhile', {
    transient: true,
    says: 'Somebody changed it first: {need} expected, {have} found.',
    user: AGAIN,
    operator: AGAIN,
    support: 'The event log names whose write came first.',
  }),
  'wrong-state': row(409, 'state.wrong', {
    transient: false,
    says: 'It must be {need}; it is {have}.',
    user: 'Bring it into that state first.',
    operator: 'Bring it into that state first.',
    support: 'The events of the instance show how it came to be so.',
  }),
  // the door
  unknown: row(404, 'input.unknown', {
    transient: false,
    says: 'There is no {need}.',
    user: 'It may have been deleted; go back to the list.',
    operator: 'It may have been deleted; the event log knows when and by whom.',
    support: 'Search the event log for the id.',
  }),
  'bad-input': row(400, 'input.bad', {
    transient: false,
    says: '{have}: {need}.',
    user: 'Correct the input and send it again.',
    operator: 'Correct the input and send it again.',
    support: 'The input comes from outside; the request id finds it in the log.',
  }),
} as const satisfies { readonly [K in Refusal['kind']]: RefusalRow }

/** A reason as a part of a sentence, whose full stop it leaves to the whole: some are sentences of their own. */
export const clause = (reason: string): string => reason.replace(/(?<!\.)\.\s*$/, '')

/** The refusal in one sentence. */
export function sentenceOf(refusal: Refusal): string {
  const { says } = REFUSALS[refusal.kind]
  const words: Readonly<Record<string, string>> = {
    need: clause(String(refusal.need)),
    have: 'have' in refusal ? clause(refusal.have) : '',
    free: 'free' in refusal ? String(refusal.free) : '',
    short: 'shortBy' in refusal ? String(refusal.shortBy) : '',
    unit: refusal.where.unit ?? '',
    huge: String(refusal.where.hugeMib ?? 0),
  }
  return says.replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole)
}
