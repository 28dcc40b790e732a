import type { Severity } from '../audit/kinds'

// Every kind of finding on an OpenStack cloud, in one table. A new check needs its row here.

interface CloudKindRow {
  /** The runbook group that it belongs to. */
  readonly group: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
  readonly severity: Severity
  readonly title: string
  /** The remedy where no call repairs it, or the calls are refused. */
  readonly instead: string
}

const CLOUD_KINDS = {
  'ended-migration-holds-allocation': {
    group: 1,
    severity: 'warning',
    title: 'An ended migration still holds an allocation',
    instead:
      'Read the allocations of its consumer again; then delete them with `openstack resource provider allocation delete`.',
  },
  'instance-holds-two-hosts': {
    group: 1,
    severity: 'warning',
    title: 'An instance holds allocations on two hosts, and nothing is in progress',
    instead:
      'Set the allocations of the instance to the provider of its own host, with `openstack resource provider allocation set`.',
  },
  'allocations-swapped': {
    group: 2,
    severity: 'critical',
    title: 'The allocations of an instance are still swapped',
    instead: 'Find out on which host the instance runs before anything is changed: look for its domain on both.',
  },
  'allocation-missing': {
    group: 3,
    severity: 'critical',
    title: 'An instance has no allocation',
    instead: 'Make room on the host, or migrate the instance: the scheduler then claims for it.',
  },
  'confirm-stuck': {
    group: 4,
    severity: 'warning',
    title: 'A confirm does not end',
    instead: 'Start nova-compute on the source: it acts on the confirm that waits in its queue.',
  },
  'migration-stuck': {
    group: 4,
    severity: 'warning',
    title: 'A migration does not proceed',
    instead:
      'Check nova-compute and its log on the host that has to act. A live migration can be aborted while it is queued, preparing or running.',
  },
  'evacuated-holds-source': {
    group: 5,
    severity: 'warning',
    title: 'An evacuated instance still has allocations on its old host',
    instead:
      'Start nova-compute on the old host: it removes its copies and their allocations. If the host never returns, mark it as fenced or permanently lost.',
  },
  'guest-runs-twice': {
    group: 5,
    severity: 'critical',
    title: 'An instance runs on two hosts',
    instead:
      'Find out which copy is current and stop the other one on its host. Berth never stops an instance on a guess.',
  },
  'guest-runs-elsewhere': {
    group: 5,
    severity: 'critical',
    title: 'An instance runs on another host than Nova records',
    instead:
      'Do not reboot, start or delete the instance: Nova would act on the wrong host. Shut down the guest OS and copy its disk back, or correct `host` and `node` of the instance in the Nova database.',
  },
  'domain-leftover': {
    group: 5,
    severity: 'info',
    title: 'A host keeps a shut-off domain of an instance that is elsewhere',
    instead: 'Undefine the domain on its host once the instance is seen running on its own.',
  },
  'orphaned-allocation': {
    group: 6,
    severity: 'warning',
    title: 'Orphaned allocation: its consumer does not exist',
    instead:
      'Find out whose consumer it is. If it belongs to another Placement client, name that client in the connection settings.',
  },
  'allocation-on-other-host': {
    group: 6,
    severity: 'critical',
    title: 'The allocation of an instance is on another host',
    instead:
      'Make room on the host of the instance, then set its allocation with `openstack resource provider allocation set`.',
  },
  'amounts-differ-from-flavor': {
    group: 6,
    severity: 'warning',
    title: 'The allocated amounts differ from the flavor',
    instead:
      'Set the allocation with `openstack resource provider allocation set`; a cold migration claims it from the flavor too.',
  },
  'shared-storage-doubled': {
    group: 6,
    severity: 'warning',
    title: 'Disk on shared storage is allocated twice',
    instead: 'Set the allocation with `openstack resource provider allocation set`, with DISK_GB from one provider.',
  },
  'cpu-pinned-twice': {
    group: 7,
    severity: 'critical',
    title: 'Two instances are pinned to one CPU',
    instead: 'Migrate one of the two to another host: it claims new CPUs there.',
  },
  'guest-pins-differ': {
    group: 7,
    severity: 'critical',
    title: 'An instance runs on other CPUs than Nova records',
    instead: 'Migrate the instance to another host: it claims new CPUs there.',
  },
  'task-stuck': {
    group: 8,
    severity: 'warning',
    title: 'A task of an instance does not end',
    instead:
      'Check nova-compute on its host and the actions of the instance. When nothing works on it any more, `openstack server set --state active` clears the task.',
  },
  'instance-shut-down': {
    group: 8,
    severity: 'critical',
    title: 'An active instance is shut down',
    instead: 'Start it again, or stop it so that the record matches.',
  },
  'instance-in-error': {
    group: 8,
    severity: 'critical',
    title: 'An instance is in ERROR after a transient fault',
    instead: 'Check its fault and nova-compute on its host; hard-reboot it once the host answers.',
  },
  'service-down': {
    group: 8,
    severity: 'critical',
    title: 'nova-compute is down on a host with instances',
    instead:
      'Start nova-compute, or fence the host and evacuate its instances. A force-down alone does not stop the instances there.',
  },
  'service-disabled': {
    group: 8,
    severity: 'info',
    title: 'A disabled host has instances',
    instead: 'Drain the host, or enable its service again.',
  },
  'provider-without-service': {
    group: 8,
    severity: 'warning',
    title: 'A resource provider has no compute service',
    instead:
      'Delete it once nothing is allocated from it, or name it in the settings of the connection if another client owns it.',
  },
  'service-without-provider': {
    group: 8,
    severity: 'critical',
    title: 'A compute service has no resource provider',
    instead:
      'Check the log of nova-compute: it creates its provider with the next update. Until then nothing is scheduled there.',
  },
  'provider-uuid-differs': {
    group: 8,
    severity: 'critical',
    title: 'A resource provider has another uuid than its host',
    instead:
      'The record of the compute node was created again. Restore its old uuid in the Nova database, or move the allocations and delete the old provider.',
  },
  'group-policy-broken': {
    group: 8,
    severity: 'info',
    title: 'The members of a server group break its policy',
    instead: 'Migrate one of the members; the scheduler applies the policy to the target.',
  },
  'resize-awaits-confirm': {
    group: 9,
    severity: 'info',
    title: 'A resize or migration awaits confirm or revert',
    instead: 'Confirm or revert it; until then the old host stays allocated.',
  },
} as const satisfies Readonly<Record<string, CloudKindRow>>

export type CloudFindingKind = keyof typeof CLOUD_KINDS
export const CLOUD_FINDING_KINDS = Object.keys(CLOUD_KINDS) as readonly CloudFindingKind[]

export const cloudKindRow = (kind: CloudFindingKind): CloudKindRow => CLOUD_KINDS[kind]
