import type http from 'node:http'
import { BlockList, isIPv4, isIPv6 } from 'node:net'

// Finds the client's address. Forwarding headers count only if a proxy named by the operator set them; afterwards
// `x-forwarded-for` is one trusted address for everything that reads headers later.

export interface TrustedProxies {
  readonly isTrusted: (address: string) => boolean
  readonly isEmpty: boolean
}

const FORWARDED = ['forwarded', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto'] as const

type Env = Readonly<Record<string, string | undefined>>

/** Settings of the front server. */
export const frontSettings = ({ BERTH_TRUSTED_PROXIES, BERTH_URL }: Env) => ({
  proxies: trustedProxies(BERTH_TRUSTED_PROXIES),
  publicUrl: BERTH_URL || null,
})

/** From BERTH_TRUSTED_PROXIES: addresses and networks, separated by commas. Throws for anything else. */
export function trustedProxies(setting: string | undefined): TrustedProxies {
  const list = new BlockList()
  const entries = (setting ?? '').split(',').flatMap((entry) => entry.trim() || [])
  for (const entry of entries) addNetwork(list, entry)
  return { isTrusted: (address) => list.check(address, familyOf(address)), isEmpty: entries.length === 0 }
}

function addNetwork(list: BlockList, entry: string): void {
  const [address = '', prefix, more] = entry.split('/')
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  if (most < 0 || bits < 0 || bits > most || more !== undefined) {
    throw new Error(`BERTH_TRUSTED_PROXIES names addresses and networks such as 10.0.0.0/8, and “${entry}” is neither.`)
  }
  list.addSubnet(address, bits, familyOf(address))
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

/**
 * Rewrites the forwarding headers to trusted values and returns the client's address: the last one in `x-forwarded-for`
 * that is no trusted proxy. It is the peer of the connection if there is none, or if the peer is no trusted proxy.
 */
export function resolveClientAddress({ headers, socket }: http.IncomingMessage, proxies: TrustedProxies): string {
  const peer = plain(socket.remoteAddress ?? '') ?? '0.0.0.0'
  const isProxied = proxies.isTrusted(peer)
  const address = isProxied ? (forwardedFor(headers['x-forwarded-for'], proxies) ?? peer) : peer
  if (!isProxied) for (const name of FORWARDED) delete headers[name]
  headers['x-forwarded-for'] = address
  return address
}

function forwardedFor(headerValue: string | string[] | undefined, proxies: TrustedProxies): string | null {
  const hops = String(headerValue ?? '').split(',')
  for (const hop of hops.reverse()) {
    const address = plain(hop.trim())
    if (address === null) return null
    if (!proxies.isTrusted(address)) return address
  }
  return null
}

/** Unwraps IPv4 within IPv6 and removes the zone. Null if it is not an address. */
function plain(address: string): string | null {
  const bare = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv4(bare) || isIPv6(bare) ? bare : null
}
