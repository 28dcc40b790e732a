import type { Write } from '../change'
import { withClaim, withExchange, withoutHolding } from '../holdings'
import type { Host } from '../host'

/**
 * The effect of a write on one host. The same host when the write does not name it; null when it depends on other rows
 * of the tables.
 */
export function hostAfter(host: Host, write: Write): Host | null {
  switch (write.do) {
    case 'take': {
      if (write.plan.host !== host.id) return host
      const { claim, consumer, consumerKind, instance, plan } = write
      return withClaim(host, { claim, consumer, consumerKind, instance }, plan)
    }
    case 'release':
      return host.holdings
        .filter(({ consumer }) => consumer === write.consumer)
        .reduce((rest, { claim }) => withoutHolding(rest, claim), host)
    case 'exchange':
      return withExchange(host, write)
    case 'set-host': {
      if (write.id !== host.id) return host
      const { status = host.status, scheduling = host.scheduling, memory = host.memory } = write.set
      return { ...host, status, scheduling, memory }
    }
    case 'note-remains':
      if (write.host !== host.id || host.leftovers.includes(write.instance)) return host
      return { ...host, leftovers: [...host.leftovers, write.instance] }
    // Leftovers are counted per instance on the host and listed per migration in the tables.
    case 'clear-remains':
      return write.host === host.id ? null : host
    // A reviewed line may change anything.
    case 'row':
      return write.line.host === host.id ? null : host
    default:
      return host
  }
}
