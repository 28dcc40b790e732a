import { z } from 'zod'
import { strictObject } from './strict-object'

// How a libvirt daemon is reached, as parts that the console's form fills, the API takes and the driver reads back.
// There is no free-form URI: libvirt's can run programs (`qemu+ext://?command=…`, `qemu+ssh://?netcat=…`). TCP without
// TLS is not a transport: without authentication it is root on the host.

const HOST_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i
const NO_HOST = 'expected the name or the IP address of a host, such as hv1.example.org'

/** A network name or address, an IPv6 address without brackets. */
export const hostAddress = z.union(
  [
    z.string().regex(HOST_NAME),
    z
      .string()
      .max(45)
      .regex(/^[0-9a-f:.]+$/i)
      .check(z.ipv6()),
  ],
  { error: NO_HOST },
)

const NO_POOL = 'expected the name of a storage pool, of letters, digits, dots, dashes and underscores'
/** A storage pool's libvirt name; `virsh` cannot mistake any of these for an option. */
export const poolName = z.string({ error: NO_POOL }).regex(/^[a-z0-9_][a-z0-9_.-]{0,99}$/i, NO_POOL)

const NO_PORT = 'expected a port from 1 to 65535'
const port = z.number({ error: NO_PORT }).int(NO_PORT).min(1, NO_PORT).max(65_535, NO_PORT)

const USER_NAME = /^[a-z_][a-z0-9_.-]{0,31}$/i
const NO_USER = 'expected the name of a user, such as berth'
const user = z.string({ error: NO_USER }).regex(USER_NAME, NO_USER)

// `#` and `?` would end a path inside a URI; they are encoded there. Control characters are never valid in a path.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const PLAIN_PATH = /^(\/(?!\.{1,2}(\/|$))[^/\u0000-\u001f\u007f]+)+$/
const PATH_MAX = 1_000

const path = (what: string) => {
  const message = `expected the absolute path of ${what}, without ".."`
  return z.string({ error: message }).max(PATH_MAX, message).regex(PLAIN_PATH, message)
}

/** Longest socket path that the kernel accepts (unix(7), sun_path). */
const SOCKET_PATH_MAX = 107
const isShort = (text: string) => new TextEncoder().encode(text).length <= SOCKET_PATH_MAX

const tls = {
  kind: z.literal('tls'),
  host: hostAddress,
  port,
  /** A folder with cacert.pem, clientcert.pem and clientkey.pem, as libvirt's `pkipath`. */
  pkiPath: path('a folder with cacert.pem, clientcert.pem and clientkey.pem'),
}

export const TRANSPORTS = ['unix', 'tls', 'ssh'] as const

export const transport = z.discriminatedUnion(
  'kind',
  [
    strictObject({
      kind: z.literal('unix'),
      socketPath: path('a socket').refine(isShort, `the path of a socket has at most ${SOCKET_PATH_MAX} bytes`),
    }),
    strictObject(tls),
    strictObject({
      kind: z.literal('ssh'),
      host: hostAddress,
      port,
      user: user.nullable(),
      /** Private key; null: the agent's key or the user's default. */
      keyPath: path('a key').nullable(),
    }),
  ],
  { error: `expected one of ${TRANSPORTS.join(', ')}` },
)
export type Transport = z.infer<typeof transport>

/** The default port of each transport. */
export const DEFAULT_PORT = { tls: 16_514, ssh: 22 } as const

const DAEMONS = ['system', 'session'] as const
/** The daemon to connect to: the system's, or the connecting user's. */
const daemon = z.enum(DAEMONS, { error: `expected one of ${DAEMONS.join(', ')}` })

export const daemonAddress = strictObject({ transport, daemon })
export type DaemonAddress = z.infer<typeof daemonAddress>

const NO_NAME = 'expected a name of 1 to 63 letters, digits, dots and dashes'
const NO_CPUS = 'expected a list of CPUs, such as 2-15,^8'

/** The host to add, with the state it was previewed in. */
export const hostAddition = strictObject({
  address: daemonAddress,
  fingerprint: z.string({ error: 'expected the fingerprint of a preview' }).max(100),
  name: z.string({ error: NO_NAME }).regex(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/i, NO_NAME),
  /** CPUs for pinned instances, as Nova's `cpu_dedicated_set`; empty: none. */
  dedicated: z
    .string({ error: NO_CPUS })
    .max(1_000, NO_CPUS)
    .regex(/^[\d,^\s-]*$/, NO_CPUS),
  /** Null: Berth only reads, and the daemon refuses any change. */
  control: strictObject({
    /** How other hosts' daemons reach it; null: no live migrations to this host. The folder is on those hosts. */
    peer: strictObject(tls).nullable(),
    /** Address for migrated memory; null: the address that its daemon reports. */
    dataAddress: hostAddress.nullable(),
    /** Where Berth creates root disks; null: nowhere. */
    pool: poolName.nullable().default(null), // older clients do not send one
  }).nullable(),
})
export type HostAddition = z.infer<typeof hostAddition>
