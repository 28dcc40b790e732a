import { isIPv6 } from 'node:net'

// `x-forwarded-for` has one trusted address: server/api/http/client-address.ts sets it, and clients cannot.

/** The key that limits count by: an IPv4 address, or the /64 network of an IPv6 client. */
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
