import net from 'node:net'
import path from 'node:path'

// Where a libvirt daemon is, as validated parts. There is no free URI anywhere: libvirt's can run programs
// (`qemu+ext://?command=…`, `qemu+ssh://?netcat=…`), so what is composed here is composed of checked parts only.
// TCP without TLS is not among the transports: without authentication it is root on the host.

export interface HypervisorAddress {
  readonly transport: Transport
  /** Which daemon answers: that of the system, or that of the user who asks. */
  readonly daemon: 'system' | 'session'
  /** The daemon itself then refuses whatever changes something. */
  readonly readOnly: boolean
}

export type Transport =
  | { readonly kind: 'unix'; readonly socketPath: string }
  /** `pkiPath`: a folder with cacert.pem, clientcert.pem and clientkey.pem, as libvirt's `pkipath`. */
  | { readonly kind: 'tls'; readonly host: string; readonly port: number; readonly pkiPath: string }
  | {
      readonly kind: 'ssh'
      readonly host: string
      readonly port: number
      readonly user: string | null
      /** Private key; null: the agent's, or the user's own. */
      readonly keyPath: string | null
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

const TLS_PORT = 16_514
const SSH_PORT = 22
const HOST_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i
const USER_NAME = /^[a-z_][a-z0-9_.-]{0,31}$/i
/** Longest path of a socket that the kernel takes (unix(7), sun_path). */
const LONGEST_SOCKET_PATH = 107

/** Reads `unix:PATH`, `tls:HOST[:PORT]` or `ssh:[USER@]HOST[:PORT]`; an IPv6 address stands in brackets. */
export function parseAddress(text: string, options: AddressOptions = {}): ParsedAddress {
  const [, kind, rest = ''] = /^(unix|tls|ssh):(.*)$/s.exec(text) ?? []
  const transport =
    kind === 'unix'
      ? unixTransport(rest)
      : kind === 'tls'
        ? tlsTransport(rest, options.pkiPath)
        : kind === 'ssh'
          ? sshTransport(rest, options.keyPath)
          : `"${text}" is no address: write unix:PATH, tls:HOST[:PORT] or ssh:[USER@]HOST[:PORT]`
  if (typeof transport === 'string') return { ok: false, why: transport }
  const { daemon = 'system', readOnly = true } = options
  return { ok: true, address: { transport, daemon, readOnly } }
}

function unixTransport(socketPath: string): Transport | string {
  if (!isPlainPath(socketPath)) return 'the path of a socket is absolute, without "..": unix:/run/libvirt/libvirt-sock'
  if (Buffer.byteLength(socketPath) > LONGEST_SOCKET_PATH)
    return `the path of a socket has at most ${LONGEST_SOCKET_PATH} bytes`
  return { kind: 'unix', socketPath }
}

function tlsTransport(text: string, pkiPath: string | undefined): Transport | string {
  const place = hostAndPort(text, TLS_PORT)
  if (place === null) return `"${text}" is no HOST or HOST:PORT`
  if (pkiPath === undefined || !isPlainPath(pkiPath))
    return 'TLS needs the absolute path of a folder with cacert.pem, clientcert.pem and clientkey.pem'
  return { kind: 'tls', ...place, pkiPath }
}

function sshTransport(text: string, keyPath: string | undefined): Transport | string {
  const at = text.indexOf('@')
  const user = at < 0 ? null : text.slice(0, at)
  if (user !== null && !USER_NAME.test(user)) return `"${user}" is no name of a user`
  const place = hostAndPort(text.slice(at + 1), SSH_PORT)
  if (place === null) return `"${text.slice(at + 1)}" is no HOST or HOST:PORT`
  if (keyPath !== undefined && !isPlainPath(keyPath)) return 'the path of a key is absolute, without ".."'
  return { kind: 'ssh', ...place, user, keyPath: keyPath ?? null }
}

function hostAndPort(text: string, usualPort: number): { readonly host: string; readonly port: number } | null {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = digits === undefined ? usualPort : Number(digits)
  const host = bracketed ?? plain
  if (host === undefined || port < 1 || port > 65_535) return null
  const isHost = bracketed === undefined ? HOST_NAME.test(host) : net.isIPv6(host)
  return isHost ? { host, port } : null
}

// `#` and `?` would end a path inside a URI; they are encoded there, and control characters have no business in either.
const isPlainPath = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  path.isAbsolute(text) && path.normalize(text) === text && !/[\u0000-\u001f\u007f]/.test(text)

/** How people and logs name it. */
export function describeAddress({ transport, daemon }: HypervisorAddress): string {
  const session = daemon === 'session' ? ' (session)' : ''
  if (transport.kind === 'unix') return `unix:${transport.socketPath}${session}`
  const user = transport.kind === 'ssh' && transport.user !== null ? `${transport.user}@` : ''
  return `${transport.kind}:${user}${inUri(transport.host)}:${transport.port}${session}`
}

/** The URI that `virsh` is given. Source: libvirt docs/uri.rst, "Remote URI", extra parameters. */
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
