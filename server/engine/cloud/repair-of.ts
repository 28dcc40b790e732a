import { clearError, confirm, deleteProvider, endConfirm, evacuateAll, hardReboot, repin } from './action-repairs'
import {
  claimAfresh,
  releaseConsumer,
  releaseEnded,
  releaseEvacuated,
  releaseOtherHosts,
  type Subject,
  swapBack,
} from './allocation-repairs'
import type { CloudFacts } from './facts'
import type { CloudFinding } from './finding'
import { isDead } from './history'
import type { CloudFindingKind } from './kinds'
import { type CloudCall, type CloudRepair, none } from './repair'
import type { CloudMigration, CloudServer } from './snapshot'

// Maps each finding to its repair.

const ofMigration =
  (repair: (facts: CloudFacts, server: CloudServer, migration: CloudMigration) => CloudRepair) =>
  ({ facts, finding, server }: Subject): CloudRepair => {
    const migration = facts.migrations.get(finding.migrations[0] ?? '')
    return migration === undefined ? none('The migration is not listed any more.') : repair(facts, server, migration)
  }

const OF_INSTANCE: Partial<Record<CloudFindingKind, (subject: Subject) => CloudRepair>> = {
  'allocations-swapped': swapBack,
  'instance-holds-two-hosts': releaseOtherHosts,
  'evacuated-holds-source': releaseEvacuated,
  'allocation-missing': claimAfresh,
  'allocation-on-other-host': claimAfresh,
  'amounts-differ-from-flavor': claimAfresh,
  'shared-storage-doubled': claimAfresh,
  'confirm-stuck': ofMigration(endConfirm),
  'resize-awaits-confirm': ofMigration(confirm),
  'guest-pins-differ': ({ facts, server }) => repin(facts, server),
  'instance-shut-down': ({ server }) => hardReboot(server),
  'instance-in-error': ({ facts, server }) => clearError(facts, server),
}

const OF_OTHERS: Partial<Record<CloudFindingKind, (facts: CloudFacts, finding: CloudFinding) => CloudRepair>> = {
  'ended-migration-holds-allocation': releaseEnded,
  'orphaned-allocation': (facts, { object }) => releaseConsumer(facts, object.id, []),
  'service-down': evacuateAll,
  'provider-without-service': (facts, { object }) => deleteProvider(facts, object.id),
}

export function repairOf(facts: CloudFacts, finding: CloudFinding): CloudRepair {
  const repair = repairFor(facts, finding)
  return repair.kind === 'none' ? repair : { ...repair, calls: repair.calls.map((call) => whileDead(facts, call)) }
}

/** A repair of an instance relies on its host being dead: a live nova-compute may be working on it. */
function whileDead(facts: CloudFacts, call: CloudCall): CloudCall {
  const host = facts.servers.get(call.instance ?? '')?.host ?? null
  if (host === null || !isDead(facts, host)) return call
  const others = call.guards.filter((guard) => !(guard.kind === 'dead-host' && guard.host === host))
  return { ...call, guards: [...others, { kind: 'dead-host', host }] }
}

function repairFor(facts: CloudFacts, finding: CloudFinding): CloudRepair {
  if (finding.locked !== null) return none(`In progress: ${finding.locked}. Nothing of it is changed.`)
  const ofInstance = OF_INSTANCE[finding.kind]
  if (ofInstance !== undefined) {
    const server = facts.servers.get(finding.object.id)
    return server === undefined ? none('The instance does not exist any more.') : ofInstance({ facts, finding, server })
  }
  return OF_OTHERS[finding.kind]?.(facts, finding) ?? none('No Nova or Placement call repairs it.')
}
