import { parseArgs } from 'node:util'
import { DEMO_HOSTS, DEMO_INSTANCES } from './demo-fleet'
import { type ImportedStorage, parseStorage } from './shared-storage'

// Parses the arguments of the import command into an order, or into the reason why it cannot be carried out.

export type ImportOrder =
  | {
      readonly what: 'fleet'
      readonly nodes: string
      readonly pods: string | null
      readonly storage?: ImportedStorage
    }
  | {
      readonly what: 'host'
      readonly name: string | null
      readonly capabilities: string
      readonly nodedevs: readonly string[]
      readonly dedicated: string
      readonly storage?: ImportedStorage
    }
  | HypervisorOrder
  | { readonly what: 'demo'; readonly hosts: number; readonly instances: number }

/** Reads a host from its own libvirt. The values are as typed; the driver checks the address. */
export interface HypervisorOrder {
  readonly what: 'hypervisor'
  readonly connect: string
  readonly pki: string | null
  readonly key: string | null
  readonly session: boolean
  readonly client: 'rpc' | 'virsh'
  readonly name: string | null
  readonly dedicated: string
  readonly storage?: ImportedStorage
  /** Adds the host; otherwise it is only previewed. */
  readonly apply: boolean
  /** Berth may change the host; otherwise the connection is read-only and the daemon refuses changes. */
  readonly control: boolean
  /** The address at which daemons of other hosts reach it, for live migrations. */
  readonly peer: string | null
  readonly peerPki: string | null
  readonly dataAddress: string | null
  /** The storage pool in which Berth creates disks. */
  readonly pool: string | null
  /** Options of live migrations to this host. */
  readonly migration: readonly string[]
}

export type ParseResult =
  | { readonly ok: true; readonly order: ImportOrder }
  | { readonly ok: false; readonly why: string }

export const USAGE = `usage:
  npm run import -- fleet --nodes nodes.csv [--pods pods.csv] [--shared-storage NAME:GIB]
  npm run import -- host capabilities.xml [nodedev.xml | folder ...] [--name NAME] [--dedicated 2-15,^8]
                         [--shared-storage NAME:GIB]
  npm run import -- host --connect unix:PATH | tls:HOST[:PORT] --pki FOLDER | ssh:[USER@]HOST[:PORT] [--key FILE]
                         [--session] [--client rpc|virsh] [--name NAME] [--dedicated 2-15,^8]
                         [--shared-storage NAME:GIB] [--apply]
                         [--control [--peer tls:HOST[:PORT] --peer-pki FOLDER] [--data-address HOST] [--pool NAME]
                          [--migration bandwidth=MIB_PER_S | max-downtime=MS | auto-converge | postcopy |
                                       postcopy-after=ROUNDS | parallel-connections=N | tls] ...]
  npm run import -- demo [--hosts ${DEMO_HOSTS}] [--instances ${DEMO_INSTANCES}]`

const MAX_HOSTS = 5_000
const MAX_INSTANCES = 100_000

export function parseArguments(words: readonly string[]): ParseResult {
  const [what, ...rest] = words
  try {
    if (what === 'fleet') return fleetOrder(rest)
    if (what === 'host') return hostOrder(rest)
    if (what === 'demo') return demoOrder(rest)
  } catch (error) {
    return wrong((error as Error).message)
  }
  return wrong(what === undefined ? 'Name what to import: fleet, host or demo' : `"${what}" cannot be imported`)
}

const wrong = (why: string): ParseResult => ({ ok: false, why })

const STORAGE = { 'shared-storage': { type: 'string' } } as const
const NO_STORAGE = '--shared-storage takes NAME:GIB, such as ceph:500000'

/** Null if it cannot be parsed; empty if there is none. */
function storageOf(text: string | undefined): { readonly storage?: ImportedStorage } | null {
  if (text === undefined) return {}
  const storage = parseStorage(text)
  return storage && { storage }
}

function fleetOrder(args: string[]): ParseResult {
  const { values } = parseArgs({ args, options: { nodes: { type: 'string' }, pods: { type: 'string' }, ...STORAGE } })
  if (!values.nodes) return wrong('a fleet needs a table of hosts: --nodes nodes.csv')
  const storage = storageOf(values['shared-storage'])
  if (storage === null) return wrong(NO_STORAGE)
  return { ok: true, order: { what: 'fleet', nodes: values.nodes, pods: values.pods ?? null, ...storage } }
}

const FILES_ONLY = '--connect reads the host itself and takes no files'
const CONTROL_ONLY = '--peer, --peer-pki, --data-address, --pool and --migration require --control'
const CONNECT_ONLY = '--apply, --control, --pki, --key, --session and --client require --connect'

function hostOrder(args: string[]): ParseResult {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      dedicated: { type: 'string', default: '' },
      connect: { type: 'string' },
      pki: { type: 'string' },
      key: { type: 'string' },
      session: { type: 'boolean' },
      client: { type: 'string' },
      apply: { type: 'boolean' },
      control: { type: 'boolean' },
      peer: { type: 'string' },
      'peer-pki': { type: 'string' },
      'data-address': { type: 'string' },
      pool: { type: 'string' },
      migration: { type: 'string', multiple: true },
      ...STORAGE,
    },
  })
  const storage = storageOf(values['shared-storage'])
  if (storage === null) return wrong(NO_STORAGE)
  const { name = null, dedicated, connect, pki, key, session, client = 'rpc', apply } = values
  const [capabilities, ...nodedevs] = positionals
  if (connect !== undefined) {
    if (capabilities !== undefined) return wrong(FILES_ONLY)
    if (client !== 'rpc' && client !== 'virsh') return wrong('--client must be rpc or virsh')
    const way = { connect, pki: pki ?? null, key: key ?? null, session: session ?? false, client } as const
    const controlled = controlOf(values)
    if (controlled === null) return wrong(CONTROL_ONLY)
    const order = { what: 'hypervisor', ...way, ...controlled, name, dedicated, apply: apply ?? false } as const
    return { ok: true, order: { ...order, ...storage } }
  }
  if (apply || pki || key || session || values.client || values.control) return wrong(CONNECT_ONLY)
  if (!capabilities) return wrong('a host needs a file with the output of `virsh capabilities`, or --connect')
  return { ok: true, order: { what: 'host', name, capabilities, nodedevs, dedicated, ...storage } }
}

interface ControlWords {
  readonly control?: boolean
  readonly peer?: string
  readonly 'peer-pki'?: string
  readonly 'data-address'?: string
  readonly pool?: string
  readonly migration?: readonly string[]
}

type ControlOrder = Pick<HypervisorOrder, 'control' | 'peer' | 'peerPki' | 'dataAddress' | 'pool' | 'migration'>

function controlOf(words: ControlWords): ControlOrder | null {
  const { control = false, peer = null, 'peer-pki': peerPki = null, 'data-address': dataAddress = null } = words
  const { pool = null, migration = [] } = words
  if (!control && ((peer ?? peerPki ?? dataAddress ?? pool) !== null || migration.length > 0)) return null
  return { control, peer, peerPki, dataAddress, pool, migration }
}

function demoOrder(args: string[]): ParseResult {
  const text = { type: 'string' } as const
  // `--guests` is the earlier name: scripts may still use it.
  const { values } = parseArgs({ args, options: { hosts: text, instances: text, guests: text } })
  const hosts = Number(values.hosts ?? DEMO_HOSTS)
  const instances = Number(values.instances ?? values.guests ?? DEMO_INSTANCES)
  if (!Number.isInteger(hosts) || hosts < 1 || hosts > MAX_HOSTS) return wrong(`--hosts takes 1 to ${MAX_HOSTS}`)
  if (!Number.isInteger(instances) || instances < 0 || instances > MAX_INSTANCES)
    return wrong(`--instances takes 0 to ${MAX_INSTANCES}`)
  return { ok: true, order: { what: 'demo', hosts, instances } }
}
