import type { Severity } from '@/server/api/finding/view'
import type { FindingKind } from '@/server/engine/audit/finding'
import type { BadgeContent } from '../../ui/Badge'

// Texts of findings for lists of other nouns, without those of the findings pages.

/** The kind of a finding, short enough for a table row. The runbook has the rest. */
export const kindWords: Readonly<Record<FindingKind, string>> = {
  'over-capacity': 'over capacity',
  'memory-overcommitted': 'memory overcommitted',
  'device-off-node': 'device on another NUMA node',
  'usage-mismatch': 'usage is not the sum of allocations',
  'unit-held-twice': 'held twice',
  'resource-missing': 'claim on a missing resource',
  'pins-and-units-differ': 'pins and claimed CPUs differ',
  'child-class-on-root': 'child class allocated from the root',
  'consumer-has-two-claims': 'two claims',
  'orphan-claim': 'orphaned claim',
  'ended-migration-has-claim': 'ended migration has a claim',
  'migration-claim-wrong': 'wrong claim for a migration',
  'instance-claim-wrong': 'claim missing or misplaced',
  'instance-host-wrong': 'wrong host recorded',
  'migration-contradicted': 'migration contradicts records',
  'claim-differs-from-flavor': 'claim does not match the flavor',
  'two-active-migrations': 'two active migrations',
  'lease-wrong': 'lease does not match',
  'group-broken': 'group policy violated',
  'instance-runs-twice': 'runs on two hosts',
  'instance-runs-elsewhere': 'runs on another host',
  'domain-unknown': 'unknown domain',
  'instance-shut-down': 'active but shut down',
  'instance-crashed': 'crashed',
  'instance-paused': 'active but paused',
  'instance-runs-while-paused': 'paused but running',
  'instance-runs-while-stopped': 'stopped but running',
  'instance-runs-while-shelved': 'shelved but running',
  'domain-leftover': 'leftover domain',
  'quarantined-host-runs': 'stale domain after return',
  'stray-allocation': 'allocation without a claim',
  'foreign-allocation': 'allocation of another client',
  'allocations-swapped': 'allocations still swapped',
  'allocation-missing': 'allocation missing',
  'amount-wrong': 'wrong amount allocated',
  'instance-nowhere': 'on no host',
  'migration-stuck': 'migration stuck',
  'claim-on-lost-host': 'claim on a lost host',
  'leftover-wrong': 'wrong leftover',
  'device-lost': 'device lost',
  'device-unrecorded': 'device without a record',
  'device-state-wrong': 'device state differs',
  'device-still-attached': 'device still attached',
  'claim-differs-from-domain': 'domain differs from claim',
  'two-providers': 'two providers for one host',
  'conversion-unfinished': 'conversion not finished',
  'unreadable-record': 'unreadable record',
  'projection-differs': 'in-memory copy out of date',
}

export const severityBadges: Readonly<Record<Severity, BadgeContent>> = {
  critical: { shape: 'cross', tone: 'bad', label: 'critical' },
  warning: { shape: 'diamond', tone: 'warn', label: 'warning' },
  info: { shape: 'unknown', tone: 'idle', label: 'info' },
}
