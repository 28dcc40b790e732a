import net from 'node:net'
import { DEFAULT_PORT, type Transport, transport } from '@/forms/connection'

// Address of a libvirt daemon, as the parts that forms/connection.ts checks. URIs for libvirt are composed of checked
// parts only.

export type { Transport } from '@/forms/connection'

export interface HypervisorAddress {
  readonly transport: Transport
  /** The system's daemon, or that of the connecting user. */
  readonly daemon: 'system' | 'session'
  /** The daemon itself then refuses every change. */
  readonly readOnly: boolean
}

export interface AddressOptions {
  readonly daemon?: 'system' | 'session'
  readonly readOnly?: boolean
  readonly pkiPath?: string
  readonly keyPath?: string
}

export type ParsedAddress =
  | { readonly ok: true; readonly address: HypervisorAddress }
  | { readonly ok: false; readonly why: string }

/** Parses `unix:PATH`, `tls:HOST[:PORT]` or `ssh:[USER@]HOST[:PORT]`; an IPv6 address is in brackets. */
export function parseAddress(text: string, options: AddressOptions = {}): ParsedAddress {
  const [, kind, rest = ''] = /^(unix|tls|ssh):(.*)$/s.exec(text) ?? []
  if (kind === undefined)
    return { ok: false, why: `"${text}" is not an address: write unix:PATH, tls:HOST[:PORT] or ssh:[USER@]HOST[:PORT]` }
  const read = transport.safeParse({ kind, ...partsOf(kind, rest, options) })
  if (!read.success) return { ok: false, why: `"${text}": ${read.error.issues[0]?.message}` }
  const { daemon = 'system', readOnly = true } = options
  return { ok: true, address: { transport: read.data, daemon, readOnly } }
}

function partsOf(kind: string, text: string, { pkiPath, keyPath }: AddressOptions): object {
  if (kind === 'unix') return { socketPath: text }
  if (kind === 'tls') return { ...hostAndPort(text, DEFAULT_PORT.tls), pkiPath }
  const at = text.indexOf('@')
  const user = at < 0 ? null : text.slice(0, at)
  return { ...hostAndPort(text.slice(at + 1), DEFAULT_PORT.ssh), user, keyPath: keyPath ?? null }
}

/** An IPv6 address must have brackets, and nothing else may. */
function hostAndPort(text: string, defaultPort: number): { readonly host?: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = digits === undefined ? defaultPort : Number(digits)
  const host = bracketed ?? plain
  const isRight = host !== undefined && net.isIPv6(host) === (bracketed !== undefined)
  return isRight ? { host, port } : { port }
}

/** For display and logs. */
export function describeAddress({ transport, daemon }: HypervisorAddress): string {
  const session = daemon === 'session' ? ' (session)' : ''
  if (transport.kind === 'unix') return `unix:${transport.socketPath}${session}`
  const user = transport.kind === 'ssh' && transport.user !== null ? `${transport.user}@` : ''
  return `${transport.kind}:${user}${inUri(transport.host)}:${transport.port}${session}`
}

/** The URI for `virsh`. Source: libvirt docs/uri.rst, "Remote URI", extra parameters. */
export function uriOf({ transport, daemon }: HypervisorAddress): string {
  const query = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`
  switch (transport.kind) {
    case 'unix':
      return `qemu+unix:///${daemon}?${query('socket', transport.socketPath)}`
    case 'tls':
      return `qemu+tls://${inUri(transport.host)}:${transport.port}/${daemon}?${query('pkipath', transport.pkiPath)}`
    case 'ssh': {
      const user = transport.user === null ? '' : `${transport.user}@`
      const key = transport.keyPath === null ? '' : `&${query('keyfile', transport.keyPath)}`
      return `qemu+ssh://${user}${inUri(transport.host)}:${transport.port}/${daemon}?no_tty=1${key}`
    }
  }
}

const inUri = (host: string) => (net.isIPv6(host) ? `[${host}]` : host)
