import { isIPv6 } from 'node:net'

// The front door has put the address of the client into `x-forwarded-for`, and nobody else can.

/** Whom a limit counts: an IPv4 address, or the /64 network that one IPv6 client commands. */
export function addressKey(headers: Headers): string {
  const address = headers.get('x-forwarded-for') ?? 'unknown'
  return isIPv6(address) ? `${network(address)}::/64` : address
}

function network(address: string): string {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, missing)).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
