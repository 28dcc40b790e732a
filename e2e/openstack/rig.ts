import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import {
  CLOUDS_YAML,
  COMPUTES,
  FRONT,
  KEYSTONE,
  NOVA,
  PASSWORD,
  PLACEMENT,
  PORTS,
  SECURE_YAML,
  STAND_INS,
  writeConfiguration,
} from './config'
import { RealCloud } from './real-cloud'
import { startFront, startStandIns } from './stand-ins'

// A real control plane of processes of this test: MariaDB, RabbitMQ, Keystone, Placement, Nova with three computes.

const PYTHON = '/usr/bin/python3'
const RABBIT = '/usr/lib/rabbitmq/lib'
const PORT_LIMIT_MS = 120_000
const STOP_LIMIT_MS = 8_000

export interface Rig {
  readonly clouds: string
  readonly secure: string
  readonly cloud: RealCloud
  /** Method and path of each request that came by the catalog. */
  readonly log: readonly string[]
  down(): Promise<void>
}

export async function startRig(): Promise<Rig> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nova-'))
  writeConfiguration(folder)
  const log: string[] = []
  const processes = new Processes(folder)
  const closers = [await startStandIns(), await startFront(log)]
  const down = async () => {
    await processes.stop()
    for (const close of closers) await close()
    fs.rmSync(folder, { recursive: true, force: true })
  }
  try {
    await startDatabases(processes, folder)
    await startIdentity(processes, folder)
    await startNova(processes, folder)
    for (const host of COMPUTES) {
      processes.nova(`nova-compute-${host}`, 'compute', ['--config-file', `${folder}/${host}.conf`])
    }
    const cloud = await RealCloud.signedIn()
    await cloud.untilUp(COMPUTES)
    return { clouds: CLOUDS_YAML, secure: SECURE_YAML, cloud, log, down }
  } catch (error) {
    await down()
    throw error
  }
}

/** Daemons by name, each in a process group of its own; ended by their handles and nothing else. */
class Processes {
  private readonly running = new Map<string, ChildProcess>()

  constructor(private readonly folder: string) {}

  start(name: string, [program = '', ...args]: readonly string[], env: Readonly<Record<string, string>> = {}): void {
    const log = fs.openSync(path.join(this.folder, 'log', `${name}.out`), 'a')
    const child = spawn(program, args, {
      ...{ detached: true, stdio: ['ignore', log, log], env: { ...process.env, PYTHONWARNINGS: 'ignore', ...env } },
    })
    fs.closeSync(log)
    this.running.set(name, child)
  }

  nova(name: string, module: string, more: readonly string[] = []): void {
    const args = ['--config-file', `${this.folder}/nova.conf`, ...more, '--log-file', `${this.folder}/log/${name}.log`]
    this.start(name, [PYTHON, '-c', calling(`nova.cmd.${module}`, name, args)])
  }

  /** Ends with the words of the command where it fails. */
  run(module: string, name: string, args: readonly string[]): void {
    const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', calling(module, name, args)], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${name} ${args.join(' ')}: ${(stderr || stdout).slice(-2_000)}`)
  }

  private kill(name: string): void {
    const child = this.running.get(name)
    if (child?.pid) process.kill(-child.pid, 'SIGKILL')
    this.running.delete(name)
  }

  async stop(): Promise<void> {
    // Those that were started last depend on those before them.
    for (const [name, child] of [...this.running].reverse()) await this.end(name, child)
  }

  private async end(name: string, child: ChildProcess): Promise<void> {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const { pid } = child
    const gone = new Promise((resolve) => child.once('exit', resolve))
    const timer = setTimeout(() => this.kill(name), STOP_LIMIT_MS)
    process.kill(-pid, 'SIGTERM')
    await gone
    clearTimeout(timer)
    try {
      // What such a daemon has started itself.
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Nothing of it is left.
    }
  }
}

const calling = (module: string, name: string, args: readonly string[]) =>
  `import sys; sys.argv = ${JSON.stringify([name, ...args])}; from ${module} import main; sys.exit(main())`

async function startDatabases(processes: Processes, folder: string): Promise<void> {
  const data = `${folder}/mysql`
  const made = spawnSync('mariadb-install-db', [
    ...[
      '--no-defaults',
      '--auth-root-authentication-method=normal',
      `--datadir=${data}`,
      '--user=root',
      '--skip-test-db',
    ],
  ])
  if (made.status !== 0) throw new Error(`mariadb-install-db: ${made.stderr}`)
  processes.start('mysql', [
    ...['/usr/sbin/mariadbd', '--no-defaults', '--user=root', `--datadir=${data}`, `--socket=${folder}/mysql.sock`],
    ...[
      `--port=${PORTS.mysql}`,
      '--bind-address=127.0.0.1',
      `--pid-file=${folder}/mysql.pid`,
      '--performance-schema=OFF',
    ],
    ...['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=2', '--max-connections=400'],
  ])
  // Its port mapper would otherwise be started as a daemon of its own, and stay.
  processes.start('epmd', ['epmd', '-port', String(PORTS.epmd), '-address', '127.0.0.1'])
  processes.start('rabbit', [rabbitProgram()], {
    ...{
      HOME: `${folder}/rabbit`,
      RABBITMQ_NODENAME: 'berth@localhost',
      RABBITMQ_MNESIA_BASE: `${folder}/rabbit/data`,
    },
    ...{ RABBITMQ_LOG_BASE: `${folder}/log`, RABBITMQ_CONFIG_FILE: `${folder}/rabbit/rabbitmq` },
    RABBITMQ_ADVANCED_CONFIG_FILE: `${folder}/rabbit/advanced.config`,
    RABBITMQ_ENABLED_PLUGINS_FILE: `${folder}/rabbit/enabled_plugins`,
    ...{ RABBITMQ_DIST_PORT: String(PORTS.erlang), RABBITMQ_PID_FILE: `${folder}/rabbit/pid`, RABBITMQ_NODE_PORT: '' },
    ...{ ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: String(PORTS.epmd) },
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 +sbwt none',
  })
  await untilOpen(PORTS.mysql)
  for (const name of ['nova_api', 'nova', 'nova_cell0', 'placement', 'keystone']) {
    const sql = `create database ${name} character set utf8`
    const { status, stderr } = spawnSync('mariadb', ['-uroot', '-h127.0.0.1', `-P${PORTS.mysql}`, '-e', sql])
    if (status !== 0) throw new Error(`create database ${name}: ${stderr}`)
  }
  await untilOpen(PORTS.amqp)
}

/** Behind the wrapper of the package, which changes to a user of its own. */
function rabbitProgram(): string {
  const [folder = ''] = fs.readdirSync(RABBIT).filter((name) => name.startsWith('rabbitmq_server-'))
  return path.join(RABBIT, folder, 'sbin/rabbitmq-server')
}

const uwsgi = (port: number, file: string) => [
  ...['/usr/bin/uwsgi_python3', '--http-socket', `127.0.0.1:${port}`, '--wsgi-file', file, '--processes', '2'],
  // A connection that is kept open is reset without a word, which its clients take for a failure.
  ...['--need-app', '--die-on-term', '--add-header', 'Connection: close'],
]

async function startIdentity(processes: Processes, folder: string): Promise<void> {
  for (const keys of ['fernet', 'credentials']) fs.mkdirSync(`${folder}/state/${keys}`, { mode: 0o700 })
  const manage = (...args: readonly string[]) =>
    processes.run('keystone.cmd.manage', 'keystone-manage', ['--config-file', `${folder}/keystone.conf`, ...args])
  const asRoot = ['--keystone-user', 'root', '--keystone-group', 'root']
  manage('db_sync')
  manage('fernet_setup', ...asRoot)
  manage('credential_setup', ...asRoot)
  manage(
    ...['bootstrap', '--bootstrap-password', PASSWORD, '--bootstrap-region-id', 'RegionOne'],
    ...['--bootstrap-public-url', `${FRONT}/identity/v3`, '--bootstrap-internal-url', KEYSTONE],
  )
  processes.start('keystone', uwsgi(PORTS.keystone, `${folder}/keystone_wsgi.py`))
  processes.run('placement.cmd.manage', 'placement-manage', [
    ...['--config-file', `${folder}/placement/placement.conf`, 'db', 'sync'],
  ])
  await untilOpen(PORTS.keystone)
  const cloud = await RealCloud.signedIn()
  await cloud.register({
    compute: NOVA,
    placement: PLACEMENT,
    image: `${STAND_INS}/glance`,
    network: `${STAND_INS}/neutron`,
  })
  processes.start('placement', uwsgi(PORTS.placement, `${folder}/placement_wsgi.py`))
  await untilOpen(PORTS.placement)
}

async function startNova(processes: Processes, folder: string): Promise<void> {
  const manage = (...args: readonly string[]) =>
    processes.run('nova.cmd.manage', 'nova-manage', ['--config-file', `${folder}/nova.conf`, ...args])
  const cell0 = `mysql+pymysql://root@127.0.0.1:${PORTS.mysql}/nova_cell0?charset=utf8`
  manage('api_db', 'sync')
  manage('cell_v2', 'map_cell0', '--database_connection', cell0)
  manage('db', 'sync')
  manage('cell_v2', 'create_cell', '--name', 'cell1')
  processes.nova('nova-conductor', 'conductor')
  processes.nova('nova-scheduler', 'scheduler')
  processes.nova('nova-api', 'api_os_compute')
  await untilOpen(PORTS.nova)
}

async function untilOpen(port: number): Promise<void> {
  const deadline = Date.now() + PORT_LIMIT_MS
  while (Date.now() < deadline) {
    if (await isOpen(port)) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`Nothing listens on port ${port}.`)
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
