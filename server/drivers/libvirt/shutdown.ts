import type { HostId, InstanceId } from '../../engine/words/ids'
import { isRefusal } from './errors'
import { isActive, type ObservedDomain, observe } from './observation'
import type { LibvirtContext } from './operation'

const POLL_INTERVAL_MS = 250
const IN_ONE_CALL_MS = 20_000 // an operation must answer long before its own deadline
const CUTS_IN_ONE_CALL = 3

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Presses the power button; a guest that is already going down may refuse it. */
export async function pressPowerButton({ links }: LibvirtContext, host: HostId, instance: InstanceId): Promise<void> {
  await links.at(host, (connection) => connection.shutdown(instance)).catch(unlessRefused)
}

/**
 * It is off when this resolves. Throws libvirt's refusal while the domain stays on, as when QEMU waits for a disk and
 * cannot be killed: undefined then, it would run on without a definition, and its disk would be deleted.
 */
export async function cutPower({ links }: LibvirtContext, host: HostId, instance: InstanceId): Promise<void> {
  try {
    await links.at(host, (connection) => connection.destroy(instance))
  } catch (error) {
    unlessRefused(error)
    const seen = await observe(links, host, instance)
    if (seen !== null && isActive(seen)) throw error
  }
}

/** It is off when this resolves: it has shut down, or its power was cut. */
export async function turnOff(context: LibvirtContext, host: HostId, domain: ObservedDomain): Promise<void> {
  const { instance } = domain.tag
  const until = performance.now() + Math.min(context.shutdownLimitMs, IN_ONE_CALL_MS)
  let seen: ObservedDomain | null = domain
  let cuts = 0
  while (seen !== null && isActive(seen)) {
    if (performance.now() > until || seen.state === 'paused') {
      cuts += 1
      await cutPower(context, host, instance).catch(cuts < CUTS_IN_ONE_CALL ? unlessRefused : rethrow)
    } else await pressPowerButton(context, host, instance)
    await pause(POLL_INTERVAL_MS)
    seen = await observe(context.links, host, instance)
  }
}

/** libvirt refuses to stop what has just stopped. The state is read afterwards. */
export function unlessRefused(error: unknown): void {
  if (!isRefusal(error)) throw error
}

function rethrow(error: unknown): never {
  throw error
}
