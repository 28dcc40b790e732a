import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts, type Machine, makeMachine } from './machines'
import type { Programs } from './programs'

// A highly available PostgreSQL on one machine, set up as on three: etcd, Patroni with a synchronous replica, HAProxy
// that follows the primary, and a PgBouncer for each copy of Berth. docs/high-availability.md explains the settings.

export interface DatabaseCluster {
  readonly nodes: readonly Machine[]
  readonly members: readonly Machine[]
  /** One PgBouncer for each copy of Berth, and one for everything else. */
  readonly bouncers: readonly Machine[]
  /** The database through that PgBouncer. */
  urlOf(way: number): string
  /** The database on that node, which may be primary or replica. */
  urlAt(node: number): string
  /** Null while there is no primary. */
  primary(): Promise<Machine | null>
  /** The replica that must confirm every commit of the primary. */
  synchronous(): Promise<Machine | null>
  /** Resolves when there is a primary with a synchronous replica and every node is running or streaming. */
  untilWhole(): Promise<void>
  stop(): Promise<void>
}

const NODES = 3
const WAYS = 4 // three copies of Berth, and everything else
const HERE = '127.0.0.1'
const WHOLE_WITHIN_MS = 600_000 // a busy machine takes minutes to rewind a node

export async function startDatabaseCluster(programs: Programs, folder: string): Promise<DatabaseCluster> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const ports = portsIn(await freePorts(NODES * 4 + 1 + WAYS))
  const setUp: SetUp = { programs, folder, ports }
  const members = ports.etcd.map((_, n) => etcdMember(setUp, n))
  const nodes = ports.node.map((_, n) => patroniNode(setUp, n))
  const proxy = haproxy(setUp)
  const bouncers = ports.bouncer.map((_, n) => bouncer(setUp, n))
  const all = [...members, ...nodes, proxy, ...bouncers]
  const cluster: DatabaseCluster = {
    ...{ nodes, members, bouncers },
    urlOf: (way) => `postgresql://postgres@${HERE}:${ports.bouncer[way]}/berth`,
    urlAt: (node) => `postgresql://postgres@${HERE}:${ports.node[node]?.postgresql}/berth`,
    primary: async () => nodes[await nodeThat(ports, 'leader')] ?? null,
    synchronous: async () => nodes[await nodeThat(ports, 'sync_standby')] ?? null,
    untilWhole: () => waitUntilHealthy(ports),
    stop: async () => {
      for (const machine of all) machine.thaw()
      await Promise.all(all.map((machine) => machine.kill()))
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    for (const machine of all) machine.start()
    await cluster.untilWhole()
    return cluster
  } catch (error) {
    await Promise.all(all.map((machine) => machine.kill()))
    throw error // keep the folder: its logs say why
  }
}

interface NodePorts {
  readonly postgresql: number
  readonly api: number
}

interface Ports {
  readonly etcd: readonly { readonly client: number; readonly peer: number }[]
  readonly node: readonly NodePorts[]
  readonly proxy: number
  readonly bouncer: readonly number[]
}

function portsIn(free: readonly number[]): Ports {
  const left = [...free]
  const next = () => left.shift() ?? 0
  const each = <T>(count: number, make: () => T) => Array.from({ length: count }, make)
  return {
    etcd: each(NODES, () => ({ client: next(), peer: next() })),
    node: each(NODES, () => ({ postgresql: next(), api: next() })),
    proxy: next(),
    bouncer: each(WAYS, next),
  }
}

interface SetUp {
  readonly programs: Programs
  readonly folder: string
  readonly ports: Ports
}

function etcdMember({ programs, folder, ports }: SetUp, n: number): Machine {
  const name = `etcd${n}`
  const at = ports.etcd[n] ?? { client: 0, peer: 0 }
  const all = ports.etcd.map(({ peer }, each) => `etcd${each}=http://${HERE}:${peer}`).join(',')
  const flags = [
    ...[`--name=${name}`, `--data-dir=${path.join(folder, name)}`, '--enable-v2=true'],
    ...[`--listen-peer-urls=http://${HERE}:${at.peer}`, `--initial-advertise-peer-urls=http://${HERE}:${at.peer}`],
    ...[`--listen-client-urls=http://${HERE}:${at.client}`, `--advertise-client-urls=http://${HERE}:${at.client}`],
    ...[`--initial-cluster=${all}`, '--initial-cluster-state=new', '--initial-cluster-token=berth'],
    // On a busy machine a disk may take a second to write a heartbeat.
    ...['--heartbeat-interval=250', '--election-timeout=2500', '--logger=zap', '--log-level=warn'],
  ]
  return makeMachine({ name, folder, command: [programs.etcd, ...flags] })
}

/** Patroni's minimum `ttl`: a leader that is silent for this long is replaced. */
const LEASE_S = 20
const LOOP_WAIT_S = 5

const shared = {
  ...{ ttl: LEASE_S, loop_wait: LOOP_WAIT_S, retry_timeout: 5, maximum_lag_on_failover: 1_048_576 },
  synchronous_mode: true,
  postgresql: {
    ...{ use_pg_rewind: true, use_slots: true },
    parameters: {
      ...{ synchronous_commit: 'on', wal_log_hints: 'on', max_connections: 250, max_wal_senders: 10 },
      ...{ shared_buffers: '128MB', max_wal_size: '1GB', hot_standby: 'on' },
      // PgBouncer ignores these startup parameters of Berth, so they are set here.
      ...{ statement_timeout: '60s', work_mem: '16MB' },
    },
  },
}

function patroniNode({ programs, folder, ports }: SetUp, n: number): Machine {
  const name = `node${n}`
  const at = ports.node[n] ?? { postgresql: 0, api: 0 }
  const trusted = (of: string) => `host ${of} all ${HERE}/32 trust`
  const settings = {
    ...{ scope: 'berth', name },
    restapi: { listen: `${HERE}:${at.api}`, connect_address: `${HERE}:${at.api}` },
    // Not etcd's third API: with it, a Patroni 3.0 leader that stood still overwrites the name of the new leader.
    etcd: { hosts: ports.etcd.map(({ client }) => `${HERE}:${client}`) },
    bootstrap: { dcs: shared, initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'] },
    postgresql: {
      ...{ listen: `${HERE}:${at.postgresql}`, connect_address: `${HERE}:${at.postgresql}` },
      ...{ data_dir: path.join(folder, `${name}-data`), bin_dir: programs.postgresql },
      pgpass: path.join(folder, `${name}.pgpass`),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
      parameters: { unix_socket_directories: '' },
      pg_hba: [trusted('all'), trusted('replication')],
    },
  }
  const file = path.join(folder, `${name}.yml`)
  fs.writeFileSync(file, JSON.stringify(settings, null, 2)) // JSON is valid YAML
  return makeMachine({ name, folder, command: [programs.patroni, file] })
}

function haproxy({ programs, folder, ports }: SetUp): Machine {
  const servers = ports.node.map(
    ({ postgresql, api }, n) => `  server node${n} ${HERE}:${postgresql} check port ${api}`,
  )
  const text = [
    ...['global', '  maxconn 1000', 'defaults', '  mode tcp', '  timeout connect 2s'],
    ...['  timeout client 1h', '  timeout server 1h', '  timeout check 2s'],
    ...['listen primary', `  bind ${HERE}:${ports.proxy}`, '  option httpchk OPTIONS /primary'],
    '  http-check expect status 200',
    // Close connections to a node that is no longer the primary.
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers,
  ]
  const file = path.join(folder, 'haproxy.cfg')
  fs.writeFileSync(file, `${text.join('\n')}\n`)
  return makeMachine({ name: 'haproxy', folder, command: [programs.haproxy, '-db', '-f', file] })
}

function bouncer({ programs, folder, ports }: SetUp, n: number): Machine {
  const name = `pgbouncer${n}`
  const users = path.join(folder, 'users.txt')
  fs.writeFileSync(users, '"postgres" ""\n')
  const text = [
    ...['[databases]', `* = host=${HERE} port=${ports.proxy}`, '[pgbouncer]'],
    ...[`listen_addr = ${HERE}`, `listen_port = ${ports.bouncer[n]}`, 'unix_socket_dir ='],
    ...['auth_type = trust', `auth_file = ${users}`],
    // LISTEN and named statements belong to a session.
    ...['pool_mode = session', 'default_pool_size = 60', 'max_client_conn = 200'],
    'ignore_startup_parameters = extra_float_digits,options,statement_timeout',
    ...['server_connect_timeout = 5', 'server_login_retry = 1', 'query_wait_timeout = 15'],
  ]
  const file = path.join(folder, `${name}.ini`)
  fs.writeFileSync(file, `${text.join('\n')}\n`)
  return makeMachine({ name, folder, command: [programs.pgbouncer, file] })
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

/** All members, as reported by the first node that answers. */
async function membersNow(ports: Ports): Promise<readonly Member[]> {
  for (const { api } of ports.node) {
    try {
      const answer = await fetch(`http://${HERE}:${api}/cluster`, { signal: AbortSignal.timeout(2_000) })
      if (answer.ok) return ((await answer.json()) as { members: readonly Member[] }).members
    } catch {
      // This node does not answer; ask the next one.
    }
  }
  return []
}

async function nodeThat(ports: Ports, role: 'leader' | 'sync_standby'): Promise<number> {
  const found = (await membersNow(ports)).find((member) => member.role === role)
  return found === undefined ? -1 : Number(found.name.replace('node', ''))
}

async function waitUntilHealthy(ports: Ports): Promise<void> {
  const deadline = Date.now() + WHOLE_WITHIN_MS
  const isWhole = (members: readonly Member[]) =>
    members.length === NODES &&
    members.every(({ state }) => state === 'running' || state === 'streaming') &&
    ['leader', 'sync_standby'].every((role) => members.some((member) => member.role === role))
  let members: readonly Member[] = []
  while (!isWhole(members)) {
    if (Date.now() > deadline) throw new Error(`The cluster did not become healthy: ${JSON.stringify(members)}`)
    await pause(500)
    members = await membersNow(ports)
  }
}
