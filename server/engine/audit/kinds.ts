// Every kind of finding, in one table. A new check needs its row here: its severity, what proves it, its title, and
// whether changing rows can repair it. If not, `instead` gives the remedy.

/** Worst first. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const

/** critical: instances or their guarantees are at risk. warning: capacity is wasted. info: something is unknown or inconsistent. */
export type Severity = (typeof SEVERITIES)[number]

/** sure: the records alone prove it. likely: two surveys of a hypervisor agree. once: seen by one survey so far. */
export type Confidence = 'sure' | 'likely' | 'once'

interface KindRow {
  readonly severity: Severity
  /** True when hypervisors are the source: then one survey proves little, because it is older than the records. */
  readonly needsTwoSurveys: boolean
  readonly title: string
  /** Null when a repair exists (it may still be refused for one finding); else the remedy in place of changing rows. */
  readonly instead: string | null
}

const row = (severity: Severity, title: string, instead: string | null = null): KindRow => {
  return { severity, needsTwoSurveys: false, title, instead }
}
const surveyRow = (severity: Severity, title: string, instead: string | null = null): KindRow => {
  return { severity, needsTwoSurveys: true, title, instead }
}

export const KINDS = {
  'over-capacity': row(
    'critical',
    'Allocations exceed the inventory',
    'Migrate an instance away, or raise the inventory.',
  ),
  'memory-overcommitted': row(
    'critical',
    'More memory is claimed than a NUMA node has',
    'Migrate an instance away, or change the number of huge pages on the host.',
  ),
  'usage-mismatch': row(
    'info',
    'Usage is not the sum of allocations',
    'Berth has computed it again: audit again, and restart the server if it persists.',
  ),
  'unit-held-twice': row('critical', 'A CPU or device is held twice'),
  'resource-missing': row('critical', 'A claim names a resource that its host does not have'),
  'pins-and-units-differ': row('critical', 'Pinned CPUs and claimed CPUs differ'),
  'child-class-on-root': row('warning', 'A resource class of a child provider is allocated from the root'),
  'consumer-has-two-claims': row('warning', 'A consumer has two claims'),
  'orphan-claim': row('warning', 'Orphaned claim: its consumer does not exist'),
  'stray-allocation': row('warning', 'An allocation has no claim behind it'),
  'foreign-allocation': row(
    'info',
    'Another client has allocations on a host of Berth',
    'Berth repairs only what it owns. The owner deletes it over the Placement API (DELETE /allocations/{consumer}), or sets the consumer type. If the owner cannot, release the allocation here, with a reason.',
  ),
  'allocations-swapped': row(
    'warning',
    'The allocations of an instance are still swapped',
    'Only Nova knows where the instance runs. Compare its host (openstack server show) and the status of its migration (openstack server migration list); then delete the allocation of the migration if it is over, or give it back if the instance stayed on the source.',
  ),
  'allocation-missing': row('critical', 'A claim has no allocation'),
  'amount-wrong': row('critical', 'The amount of an allocation differs from its claim'),
  'ended-migration-has-claim': row('warning', 'An ended migration still has a claim'),
  'migration-claim-wrong': row('critical', 'An active migration has a wrong claim'),
  'instance-claim-wrong': row('critical', 'The claim of an instance is missing or misplaced'),
  'instance-host-wrong': row('critical', 'The record of an instance names the wrong host'),
  'migration-contradicted': row('critical', 'A migration contradicts other records'),
  'claim-differs-from-flavor': row('critical', 'A claim does not match the flavor'),
  'two-active-migrations': row(
    'critical',
    'An instance has two active migrations',
    'Abort one of the migrations; its claims are released when it ends.',
  ),
  'lease-wrong': row(
    'info',
    'A lease does not match its migration',
    'The lease expires on its own; audit again in a minute.',
  ),
  'group-broken': row(
    'info',
    'Members of an anti-affinity group share a host',
    'Migrate one of the members to another host.',
  ),
  'instance-runs-twice': surveyRow(
    'critical',
    'An instance runs on two hosts',
    'Changing records cannot stop a domain. Find out which copy is current, stop the other on its host, then audit again.',
  ),
  'instance-runs-elsewhere': surveyRow('critical', 'An instance runs on another host than recorded'),
  'domain-unknown': surveyRow(
    'info',
    'Unknown domain',
    'Adopt it, so that it gets a claim, or remove it from the host.',
  ),
  'instance-nowhere': surveyRow(
    'critical',
    'An instance is on none of its hosts',
    'Start it on its host, or rebuild it there; its claim is kept until then.',
  ),
  'domain-untagged': surveyRow(
    'critical',
    'The domain of an instance lost the tag of Berth',
    'Set the tag on its host again with virsh metadata, as the runbook shows. Start the instance nowhere else until then.',
  ),
  // One survey is enough proof for power: it counts only when it is newer than the record and no migration is active.
  'instance-shut-down': row(
    'critical',
    'An active instance is shut down',
    'Start it, or stop it so that the record matches. After a host power cycle, the host page can start all of them.',
  ),
  'instance-crashed': row(
    'critical',
    'An active instance has crashed',
    'Start it. Its console log and the hypervisor log on its host show the cause.',
  ),
  'instance-paused': row(
    'critical',
    'An active instance is paused',
    'Resume it, or pause it so that the record matches.',
  ),
  'instance-runs-while-paused': row(
    'info',
    'A paused instance runs',
    'Resume it so that the record matches; then pause it again if it has to stay paused.',
  ),
  'instance-runs-while-stopped': row(
    'info',
    'A stopped instance runs',
    'Start it so that the record matches, or stop it.',
  ),
  'instance-runs-while-shelved': surveyRow(
    'critical',
    'A shelved instance runs',
    'It runs without a claim. Remove it from its host; its image is stored, and unshelving the instance brings it back.',
  ),
  'domain-leftover': surveyRow(
    'info',
    'A host keeps a shut-down copy of an instance',
    'Remove it once a survey reports the instance on its own host.',
  ),
  'quarantined-host-runs': surveyRow(
    'critical',
    'A returned host runs a stale copy of an instance',
    'The host accepts no claims until it is cleaned up. Mark it as fenced if it does not stop the domain.',
  ),
  'migration-stuck': row(
    'info',
    'Migration stuck',
    'No record blocks it. Check on its page which action is safe, or mark the host that it waits for as down, fenced or permanently lost.',
  ),
  'claim-on-lost-host': row(
    'warning',
    'A claim remains on a permanently lost host',
    'Evacuate the instance, or let its migration end: both release the claim.',
  ),
  'leftover-wrong': row('critical', 'A leftover contradicts other records'),
  'device-lost': row('critical', 'An instance has lost a device'),
  'device-unrecorded': surveyRow('critical', 'A domain has a device without a record'),
  'device-off-node': row(
    'info',
    'A device is on another NUMA node than its instance',
    'Access to the device is slower. Migrate the instance when a host has such a device free near its CPUs.',
  ),
  'device-state-wrong': surveyRow('info', 'Host and records disagree about whether a device exists'),
  'device-still-attached': surveyRow(
    'critical',
    'A device is still attached to a domain without a claim on it',
    'No record is wrong. Remove the leftovers of the domain from the host, or detach the device there; until then, an instance with this device cannot start.',
  ),
  'claim-differs-from-domain': surveyRow('critical', 'A domain has other CPUs or devices than its claim'),
  'two-providers': row(
    'info',
    'A host has two resource providers',
    'Delete the provider without a host over the Placement API once nothing is allocated from it.',
  ),
  'conversion-unfinished': row(
    'info',
    'The conversion of a host did not finish',
    'Resume or replan it on the layout page.',
  ),
  'unreadable-record': row('critical', 'Unreadable record'),
  'projection-differs': row(
    'info',
    'In-memory copy behind the tables',
    'Claims are safe, because they are checked against the tables. Restart the server if it persists.',
  ),
} as const satisfies Readonly<Record<string, KindRow>>

export type FindingKind = keyof typeof KINDS
export const FINDING_KINDS = Object.keys(KINDS) as readonly FindingKind[]

export const kindRow = (kind: FindingKind): KindRow => KINDS[kind]
