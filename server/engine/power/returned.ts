import { openRequest, type PowerGround } from './request'

// After a host power cycle: which guests ran there before.

/** libvirt has no reason for a domain that went off with its host. Any other reason is a user's, or the guest's own. */
const LOST: ReadonlySet<string | null> = new Set([null, 'unknown'])

/**
 * It ran here until its host went down, and is off since: the records say active and place it here, the hypervisor shows
 * it shut down for no reason of its own, and the last observation before showed it running.
 */
export function ranHere({ instance, activeMigration }: Pick<PowerGround, 'instance' | 'activeMigration'>): boolean {
  const { power, vmState } = instance
  if (vmState !== 'active' || activeMigration !== null || openRequest(instance) !== null) return false
  return power?.current === true && power.state === 'shutdown' && LOST.has(power.reason) && power.ranBefore
}
