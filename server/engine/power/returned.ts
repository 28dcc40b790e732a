import { openRequest, type PowerFacts } from './request'

// Finds the instances that ran on a host before a power cycle.

/** libvirt loses the shutoff reason in a host power cycle. Any other reason comes from an action or the guest. */
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
