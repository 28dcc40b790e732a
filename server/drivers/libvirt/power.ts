import type { PowerAction } from '../../engine/power/request'
import type { PowerAnswer, PowerOrder } from '../driver'
import { type DomainRecord, isAhead } from './domain-record'
import { start } from './lifecycle'
import { find, isActive, type ObservedDomain, observe, powerOf } from './observation'
import { DONE, failed, type LibvirtContext } from './operation'
import { cutPower, pressPowerButton } from './shutdown'

interface PowerCase {
  readonly context: LibvirtContext
  readonly order: PowerOrder
  readonly domain: ObservedDomain
  readonly record: DomainRecord
}

const ACTIONS: { readonly [A in PowerAction]: (of: PowerCase) => Promise<PowerAnswer> } = {
  async start({ context, order, domain }) {
    if (isActive(domain)) return powerOf(domain).state === 'paused' ? failed('the domain is paused') : DONE
    await start(context, order.host, domain)
    return DONE
  },
  async stop({ context, order, domain }) {
    if (!isActive(domain)) return DONE
    if (!order.hard) {
      await pressPowerButton(context, order.host, order.instance)
      return { did: 'under-way' }
    }
    await cutPower(context, order.host, order.instance)
    return DONE
  },
  async reboot({ context, order, domain, record }) {
    // A repeated call is the same reboot: what was started since the request has been rebooted.
    const { startedAt } = record
    const isStarted = startedAt !== null && startedAt >= order.at && !isAhead(startedAt, context.now())
    if (powerOf(domain).state === 'running' && isStarted) return DONE
    if (isActive(domain)) await cutPower(context, order.host, order.instance)
    const off = await observe(context.links, order.host, order.instance)
    if (!off) return failed('the host has no such domain')
    await start(context, order.host, off)
    return DONE
  },
  async pause({ context, order, domain }) {
    if (!isActive(domain)) return failed('the domain does not run')
    if (domain.state !== 'paused')
      await context.links.at(order.host, (connection) => connection.suspend(order.instance))
    return DONE
  },
  async resume({ context, order, domain }) {
    if (!isActive(domain)) return failed('the domain does not run')
    if (domain.state === 'paused') await context.links.at(order.host, (connection) => connection.resume(order.instance))
    return DONE
  },
}

export async function changePower(
  context: LibvirtContext,
  order: PowerOrder,
  record: DomainRecord,
): Promise<PowerAnswer> {
  const { observed: domain } = await find(context.links, order.host, order.instance)
  if (!domain || domain.tag.role === 'shell') return failed('the host has no such domain')
  return ACTIONS[order.action]({ context, order, domain, record })
}
