import type { RunbookEntry } from './entry'

/** Findings about claims, allocations and consumers. */
export const claimEntries = {
  'orphan-claim': {
    means: 'A claim belongs to a consumer that is neither a known instance nor an active migration.',
    comes: ['The instance was deleted outside Berth.', 'A restored backup brought back claims of deleted instances.'],
    risk: 'Capacity is wasted: the host looks fuller than it is.',
    berth: 'Proposes to release the claim. It never does so on its own unless an admin turned automatic repair on.',
    you: [
      'Check in the evidence that no hypervisor reports the domain.',
      'Review the repair, check what it releases, then apply it.',
    ],
    verified: 'The host page shows the capacity as free, and the next audit reports nothing.',
  },
  'stray-allocation': {
    means: 'An allocation owned by Berth has no claim behind it.',
    comes: ['A claim was deleted with SQL.', 'An older version was interrupted in the middle of a step.'],
    risk: 'Capacity counts as used although nothing uses it.',
    berth: 'Keeps it until an operator repairs it. Allocations written by other clients are left alone.',
    you: [
      'Look up the consumer, and check whether that instance exists.',
      'Review the repair: it deletes the allocation and changes nothing else.',
    ],
    verified: 'The consumer has no allocation from that provider.',
  },
  'foreign-allocation': {
    means: 'A client of the Placement API has allocations on a host that Berth manages.',
    comes: [
      'Nova or another scheduler shares this database. It claimed here before Berth refused it, or while the setting allowed it.',
      'A client claimed under the id of an instance before Berth took that instance over.',
    ],
    risk: 'Berth counts the capacity as used, but cannot see or migrate what runs there. Deleting the allocation may take capacity from a running instance.',
    berth: 'Changes nothing: no repair, manual or automatic, touches what another client owns.',
    you: [
      'Check who wrote it, when, and with which request.',
      'Ask that owner to delete it over the Placement API, or to move its instance to a host that Berth does not manage.',
      'Only if the owner cannot: release the allocation here, with a reason.',
    ],
    verified: 'The consumer has no allocation on this host, and the next audit reports nothing.',
  },
  'allocations-swapped': {
    means:
      'Nova gave the allocation of an instance to a migration, and that migration has neither given it back nor ended.',
    comes: [
      'A nova-compute or nova-conductor service died during the migration, and Nova did not clean up after its restart.',
      'A resize has waited for its confirm for more than 24 hours. Then nothing is wrong.',
      'The allocation of the target was deleted while the migration was active, so the instance holds nothing.',
    ],
    risk: 'One of the two hosts looks fuller than it is. If the instance holds nothing on the host where it runs, that host can be overfilled.',
    berth: 'Changes nothing: both consumers are Nova’s, and allocations alone do not say where the instance runs.',
    you: [
      'Read where Nova has the instance: openstack server show, the fields host, status and task_state.',
      'Read its migration: openstack server migration list --server. If it is active or awaits confirm or revert, leave the allocations alone.',
      'If the migration is over and the instance runs on the target: delete the allocation of the migration, or release it here with a reason.',
      'If the instance runs on the source: give the allocation back to it with openstack resource provider allocation set, then delete that of the migration.',
    ],
    verified:
      'The migration holds nothing, the instance holds exactly its own host, and the next audit reports nothing.',
  },
  'allocation-missing': {
    means: 'A claim has no matching allocation.',
    comes: [
      'A repair tool of another system deleted the allocation of an instance during its migration.',
      'Rows were deleted with SQL.',
    ],
    risk: 'The host looks emptier than it is and can be overfilled.',
    berth: 'Still counts the CPUs, memory and devices of the claim. The repair restores the allocation if it fits.',
    you: [
      'Review the repair and check the amounts that it adds.',
      'If the host is full by now, migrate an instance away first.',
    ],
    verified: 'The comparison table shows the same amounts for allocation and claim.',
  },
  'amount-wrong': {
    means: 'The amount of an allocation differs from its claim.',
    comes: ['Another program or SQL changed the amount.', 'Another tool wrote a resize to one table only.'],
    risk: 'Too little: the host can be overfilled. Too much: capacity is wasted.',
    berth: 'Proposes the amount of the claim, guarded by the generation of the provider.',
    you: [
      'Compare before and after in the diff.',
      'Apply the repair. If the host is full, it is refused and shows what is short.',
    ],
    verified: 'The comparison table shows equal amounts.',
  },
  'consumer-has-two-claims': {
    means: 'One instance or one migration has two claims instead of one.',
    comes: ['A restore brought a claim back.', 'Two programs built the same instance.'],
    risk: 'Capacity is wasted, and it is unclear which claim is in use.',
    berth: 'Keeps the claim that records and hypervisor agree on, and proposes to release the other.',
    you: [
      'Check in the evidence where the instance runs.',
      'Apply the repair. It is locked during a migration, when two claims are normal.',
    ],
    verified: 'The instance page shows one claim.',
  },
  'instance-claim-wrong': {
    means: 'An instance lacks its claim, or has one where it should not.',
    comes: ['A claim was deleted during a migration.', 'The record of the instance was changed outside Berth.'],
    risk: 'The instance uses CPUs and memory that another instance may be given.',
    berth:
      'Proposes the missing claim after the same check as for any new claim. It refuses when the CPUs or devices are taken.',
    you: [
      'Check in the hypervisor column where the instance runs.',
      'Review the repair. If its CPUs or devices are taken, migrate the instance.',
    ],
    verified: 'The comparison table shows that records, allocations and hypervisor agree.',
  },
  'instance-host-wrong': {
    means: 'The record of an instance names the wrong host.',
    comes: ['A migration failed after the switch, and the record was not updated.', 'The record was edited.'],
    risk: 'Restarting the instance may start a second copy on the wrong host.',
    berth: 'Decides the current host itself while the migration is active. Afterwards, the repair corrects the record.',
    you: [
      'Find out where the instance runs: two surveys must agree.',
      'Review the repair and apply the line that changes the host.',
    ],
    verified: 'The instance page names the host on which the instance runs.',
  },
  'claim-differs-from-flavor': {
    means: 'A claim does not match the flavor and image of its instance.',
    comes: ['The flavor was changed after the instance was built.', 'Another tool was interrupted during a resize.'],
    risk: 'The instance has more or less than its flavor promises.',
    berth: 'Proposes the claim that flavor and image require, where the host has it free.',
    you: [
      'Compare flavor and claim on the instance page.',
      'Apply the repair, or resize the instance to the flavor that it really uses.',
    ],
    verified: 'The claim equals the one that Explain shows.',
  },
  'claim-differs-from-domain': {
    means: 'A domain has other CPUs, NUMA nodes or devices than its claim.',
    comes: ['Somebody pinned the domain by hand.', 'A migration used other CPUs or devices than it had claimed.'],
    risk: 'CPUs that it runs on may be given to another instance.',
    berth: 'Acts only after two surveys agree. The repair changes the claim to what the domain has, if that is free.',
    you: [
      'Decide which is right: what the domain has, or what was claimed.',
      'Repair the claim, or pin the domain again on its host.',
    ],
    verified: 'Two surveys in a row report what the claim says.',
  },
  'claim-on-lost-host': {
    means: 'A claim remains on a host that is marked as permanently lost.',
    comes: [
      'The host failed with instances that have not been evacuated yet.',
      'A migration is still waiting to clean up that side.',
    ],
    risk: 'The instance has no usable host, and totals include a host that no longer exists.',
    berth: 'Ends migrations that waited for that host. Evacuation releases the claims.',
    you: [
      'Evacuate the instances of that host.',
      'If a migration still has a claim there, open the tab “Adviser” on its page.',
    ],
    verified: 'The host has no claims.',
  },
} as const satisfies Readonly<Record<string, RunbookEntry>>
