import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { FRONT, GATE, KEYSTONE, NOVA, PASSWORD, PORTS, STAND_INS } from './config'
import { type Processes, untilOpen } from './processes'
import { RealCloud } from './real-cloud'

// MariaDB with the databases of Keystone, Nova and Placement. Creating them takes longer than the rest of the rig, so
// they are kept and copied as long as packages and configuration stay the same.

const CACHE_FOLDER = path.resolve('.data/openstack-rig')
const PARTS = ['mysql', 'state/fernet', 'state/credentials']
const PACKAGES = ['mariadb-server', 'python3-keystone', 'python3-nova', 'python3-placement']
const NAMES = ['nova_api', 'nova', 'nova_cell0', 'placement', 'keystone']

/** Copies kept databases. False: there are none that match, so call `makeAll`. */
export function restoreDatabases(folder: string): boolean {
  const label = path.join(CACHE_FOLDER, 'label')
  if (!fs.existsSync(label) || fs.readFileSync(label, 'utf8') !== labelNow()) return false
  for (const part of PARTS) fs.cpSync(path.join(CACHE_FOLDER, part), path.join(folder, part), { recursive: true })
  return true
}

/** MariaDB must not be running. */
function keep(folder: string): void {
  fs.rmSync(CACHE_FOLDER, { recursive: true, force: true })
  for (const part of PARTS) fs.cpSync(path.join(folder, part), path.join(CACHE_FOLDER, part), { recursive: true })
  fs.writeFileSync(path.join(CACHE_FOLDER, 'label'), labelNow())
}

function labelNow(): string {
  const { stdout } = spawnSync('dpkg-query', ['-W', ...PACKAGES], { encoding: 'utf8' })
  // The daemons' other settings do not change what is created here.
  const addresses = JSON.stringify([PORTS, PASSWORD, FRONT, GATE, KEYSTONE, NOVA, STAND_INS])
  const making = fs.readFileSync(path.join(import.meta.dirname, 'databases.ts'))
  return createHash('sha256').update(stdout).update(addresses).update(making).digest('hex')
}

export async function startDatabase(processes: Processes, folder: string): Promise<void> {
  processes.start('mysql', [
    ...['/usr/sbin/mariadbd', '--no-defaults', '--user=root', `--datadir=${folder}/mysql`],
    ...[`--socket=${folder}/mysql.sock`, `--pid-file=${folder}/mysql.pid`, `--port=${PORTS.mysql}`],
    ...['--bind-address=127.0.0.1', '--performance-schema=OFF', '--max-connections=400'],
    ...['--innodb-buffer-pool-size=64M', '--innodb-flush-log-at-trx-commit=2'],
  ])
  await untilOpen(PORTS.mysql)
}

const uwsgi = (port: number, file: string) => [
  ...['/usr/bin/uwsgi_python3', '--http-socket', `127.0.0.1:${port}`, '--wsgi-file', file, '--processes', '2'],
  // uWSGI resets keep-alive connections without notice, which clients take for a failure.
  ...['--need-app', '--die-on-term', '--add-header', 'Connection: close'],
]

export async function startKeystone(processes: Processes, folder: string): Promise<void> {
  processes.start('keystone', uwsgi(PORTS.keystone, `${folder}/keystone_wsgi.py`))
  await untilOpen(PORTS.keystone)
}

export async function startPlacement(processes: Processes, folder: string): Promise<void> {
  processes.start('placement', uwsgi(PORTS.placement, `${folder}/placement_wsgi.py`))
  await untilOpen(PORTS.placement)
}

/** Creates the databases. No daemon runs before it or after it. */
export async function makeAll(processes: Processes, folder: string): Promise<void> {
  const data = ['--no-defaults', '--auth-root-authentication-method=normal', '--user=root', '--skip-test-db']
  const made = spawnSync('mariadb-install-db', [...data, `--datadir=${folder}/mysql`])
  if (made.status !== 0) throw new Error(`mariadb-install-db: ${made.stderr}`)
  await startDatabase(processes, folder)
  for (const name of NAMES) sql(`create database ${name} character set utf8`)
  await makeKeystone(processes, folder)
  await processes.run('placement.cmd.manage', 'placement-manage', [
    ...['--config-file', `${folder}/placement/placement.conf`, 'db', 'sync'],
  ])
  await makeNova(processes, folder)
  await startKeystone(processes, folder)
  const services = { image: `${STAND_INS}/glance`, network: `${STAND_INS}/neutron` }
  await (await RealCloud.signedIn()).register({ compute: NOVA, placement: GATE, ...services })
  await processes.stop('keystone')
  await processes.stop('mysql')
  keep(folder)
}

async function makeKeystone(processes: Processes, folder: string): Promise<void> {
  for (const keys of ['fernet', 'credentials']) fs.mkdirSync(`${folder}/state/${keys}`, { mode: 0o700 })
  const manage = (...args: readonly string[]) =>
    processes.run('keystone.cmd.manage', 'keystone-manage', ['--config-file', `${folder}/keystone.conf`, ...args])
  const asRoot = ['--keystone-user', 'root', '--keystone-group', 'root']
  await manage('db_sync')
  await manage('fernet_setup', ...asRoot)
  await manage('credential_setup', ...asRoot)
  await manage(
    ...['bootstrap', '--bootstrap-password', PASSWORD, '--bootstrap-region-id', 'RegionOne'],
    ...['--bootstrap-public-url', `${FRONT}/identity/v3`, '--bootstrap-internal-url', KEYSTONE],
  )
}

async function makeNova(processes: Processes, folder: string): Promise<void> {
  const manage = (...args: readonly string[]) =>
    processes.run('nova.cmd.manage', 'nova-manage', ['--config-file', `${folder}/nova.conf`, ...args])
  const cell0 = `mysql+pymysql://root@127.0.0.1:${PORTS.mysql}/nova_cell0?charset=utf8`
  await manage('api_db', 'sync')
  await manage('cell_v2', 'map_cell0', '--database_connection', cell0)
  await manage('db', 'sync')
  await manage('cell_v2', 'create_cell', '--name', 'cell1')
}

export function sql(text: string): void {
  const { status, stderr } = spawnSync('mariadb', ['-uroot', '-h127.0.0.1', `-P${PORTS.mysql}`, '-e', text])
  if (status !== 0) throw new Error(`${text}: ${stderr}`)
}
