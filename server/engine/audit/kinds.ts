// Every kind of finding, in one table. A new check needs its row here: how bad it is, whose word proves it, what it is
// called, and whether a change of rows can heal it. When none can, `instead` says what to do.

/** harm: guests or promises are in danger. leak: room is lost. doubt: something is unknown or untidy. */
export type Severity = 'harm' | 'leak' | 'doubt'

/** sure: the records alone prove it. likely: two looks at a hypervisor agree. once: seen by one look so far. */
export type Confidence = 'sure' | 'likely' | 'once'

interface KindRow {
  readonly severity: Severity
  /** True when hypervisors are the witness: then one look alone proves little, because it is older than the records. */
  readonly twoLooks: boolean
  readonly title: string
  /** Null when a heal exists (it may still be refused for one finding); else what to do instead of changing rows. */
  readonly instead: string | null
}

const row = (severity: Severity, title: string, instead: string | null = null): KindRow => {
  return { severity, twoLooks: false, title, instead }
}
const seen = (severity: Severity, title: string, instead: string | null = null): KindRow => {
  return { severity, twoLooks: true, title, instead }
}

export const KINDS = {
  'over-capacity': row('harm', 'More is held than the inventory allows', 'Move a guest away, or raise the inventory.'),
  'memory-overcommitted': row(
    'harm',
    'More memory is promised than a NUMA node has',
    'Migrate an instance away, or change how many huge pages the host sets up.',
  ),
  'usage-mismatch': row(
    'doubt',
    'Usage is not the sum of what is held',
    'Usage is summed anew at every read: audit again, and restart the server when it stays.',
  ),
  'unit-held-twice': row('harm', 'One unit has two holders'),
  'place-unknown': row('harm', 'A claim names a thing its host does not have'),
  'pins-and-units-differ': row('harm', 'Pinned CPUs and held CPUs differ'),
  'child-class-on-root': row('leak', 'A class of a child provider is held on the root'),
  'consumer-holds-twice': row('leak', 'One consumer holds two claims'),
  'orphan-claim': row('leak', 'A claim has no consumer'),
  'stray-allocation': row('leak', 'An allocation has no claim behind it'),
  'foreign-allocation': row(
    'doubt',
    'Another client holds room on a host of Berth',
    'Berth repairs only what it owns. The owner deletes it over the Placement API (DELETE /allocations/{consumer}), or gives the consumer a type that says what it is. If the owner cannot, release the allocation here, with a reason.',
  ),
  'allocation-missing': row('harm', 'A claim lacks its allocation'),
  'amount-wrong': row('harm', 'A wrong amount is allocated'),
  'ended-move-holds': row('leak', 'A move that has ended still holds a claim'),
  'move-holds-wrong': row('harm', 'A move holds a wrong claim'),
  'instance-holds-wrong': row('harm', 'An instance holds no claim where it should'),
  'instance-host-wrong': row('harm', 'The records place an instance on a wrong host'),
  'migration-contradicted': row('harm', 'The records contradict a migration'),
  'claim-not-as-demanded': row('harm', 'A claim is not what flavor and image ask for'),
  'two-active-moves': row(
    'harm',
    'One instance has two active moves',
    'Abort one of the moves; what it holds is given back as it ends.',
  ),
  'lease-wrong': row('doubt', 'A lease does not fit its move', 'A lease runs out by itself; audit again in a minute.'),
  'group-broken': row(
    'doubt',
    'Members of an anti-affinity group share a host',
    'Move one of the members to another host.',
  ),
  'guest-runs-twice': seen(
    'harm',
    'One guest runs on two hosts',
    'Rows cannot stop a guest. Find out which copy is current, stop the other on its host, then audit again.',
  ),
  'guest-runs-elsewhere': seen('harm', 'A guest runs where the records do not place it'),
  'guest-unknown': seen(
    'doubt',
    'A guest that no record knows',
    'Adopt it, so that it gets a claim, or remove it from its host.',
  ),
  'guest-nowhere': seen(
    'harm',
    'A guest is on no host that could have it',
    'Start it again on its host, or rebuild it there; its claim is kept until then.',
  ),
  // Of power one look is proof enough: it counts only when it is younger than the record and no migration is under way.
  'guest-off': row(
    'harm',
    'An active instance is shut down',
    'Start it, or stop it so that the record says so too. After a host power cycle the host page starts all at once.',
  ),
  'guest-crashed': row(
    'harm',
    'An active instance has crashed',
    'Start it, or reboot it. Its console and the hypervisor log on its host say why.',
  ),
  'guest-paused': row('harm', 'An active instance is paused', 'Resume it, or pause it so that the record says so too.'),
  'guest-runs-while-paused': row(
    'doubt',
    'A paused instance runs',
    'Resume it, so that the record says so too; then pause it again if it has to stand still.',
  ),
  'guest-runs-while-stopped': row(
    'doubt',
    'A stopped instance runs',
    'Start it, so that the record says so too, or stop it.',
  ),
  'guest-runs-while-shelved': seen(
    'harm',
    'A shelved instance runs',
    'It runs without a claim. Remove it from its host; its image is stored, and an unshelve brings it back.',
  ),
  'guest-leftover': seen(
    'doubt',
    'A host keeps a shut-down guest that lives elsewhere',
    'Remove it from its host once the guest is seen at its own host.',
  ),
  'quarantined-host-runs': seen(
    'harm',
    'A returned host runs a guest that lives elsewhere',
    'The host is cleaned before it takes anything. State it fenced if it does not stop the guest.',
  ),
  'move-stuck': row(
    'doubt',
    'A move does not get on',
    'No row holds it up. See which action is safe on its page, or state what is true about the host it waits for.',
  ),
  'held-by-gone-side': row(
    'leak',
    'Something is held on a host that never returns',
    'Evacuate the instance, or let its move end: both give the room back by themselves.',
  ),
  'leftover-remain': row('harm', 'A host lists for clean-up what the records contradict'),
  'device-gone': row('harm', 'A guest has lost a device'),
  'device-unrecorded': seen('harm', 'A guest has a device that no record knows'),
  'device-off-node': row(
    'doubt',
    'A device is on another NUMA node than its guest',
    'The guest runs, and is slower. Migrate the instance once a host has such a device free near its CPUs.',
  ),
  'device-state-wrong': seen('doubt', 'Host and records disagree whether a device is there'),
  'device-still-attached': seen(
    'harm',
    'A device is attached to a guest that does not hold it',
    'No row is wrong. Remove what is left of the guest from the host, or detach the device there; until then the host refuses whoever is given it.',
  ),
  'claim-differs-from-guest': seen('harm', 'A guest has other CPUs or devices than its claim'),
  'two-providers': row(
    'doubt',
    'Two providers stand for one host',
    'Delete the provider without a host over the Placement API once nothing is allocated from it.',
  ),
  'layout-unhealed': row(
    'doubt',
    'The reshape of a host did not finish',
    'Resume it, or plan it anew, on the layout page.',
  ),
  'unreadable-record': row('harm', 'A record cannot be read'),
  'projection-differs': row(
    'doubt',
    'Memory does not follow the tables',
    'Claims are safe, because they are checked against the tables. Restart the server when it stays.',
  ),
} as const satisfies Readonly<Record<string, KindRow>>

export type FindingKind = keyof typeof KINDS
export const FINDING_KINDS = Object.keys(KINDS) as readonly FindingKind[]

export const kindRow = (kind: FindingKind): KindRow => KINDS[kind]
