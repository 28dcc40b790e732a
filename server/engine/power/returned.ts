import { openRequest, type PowerFacts } from './request'

// After a host power cycle: which instances ran there before.

/**
 * libvirt forgets why an instance went off when its host went too. Any other reason was an action, or the instance's
 * own.
 */
const LOST: ReadonlySet<string | null> = new Set([null, 'unknown'])

/**
 * It ran here until its host went down, and is off since: the records say active on this host, the hypervisor reports
 * it shut down without a reason, and the previous observation showed it running.
 */
export function ranHere({ instance, activeMigration }: Pick<PowerFacts, 'instance' | 'activeMigration'>): boolean {
  const { power, vmState } = instance
  if (vmState !== 'active' || activeMigration !== null || openRequest(instance) !== null) return false
  return power?.current === true && power.state === 'shutdown' && LOST.has(power.reason) && power.ranBefore
}
