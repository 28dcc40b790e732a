import fs from 'node:fs'
import path from 'node:path'
import {
  CLOUDS_YAML,
  COMPUTES,
  type Compute,
  HYPERVISORS,
  isHypervisor,
  PORTS,
  SECURE_YAML,
  writeConfiguration,
} from './config'
import { makeAll, restoreDatabases, startDatabase, startKeystone, startPlacement } from './databases'
import { Hypervisors } from './hypervisors'
import { Processes, run, untilOpen } from './processes'
import { RealCloud } from './real-cloud'
import { type Gate, startFront, startGate, startStandIns } from './stand-ins'

// A real control plane, as child processes of the test: MariaDB, RabbitMQ, Keystone, Placement, and Nova with its
// computes.

const RABBIT = '/usr/lib/rabbitmq/lib'

/** Nova's fake driver on four computes, or its libvirt driver on two machines. */
export type Computes = 'fake' | 'libvirt'

export interface Rig {
  readonly folder: string
  /** The machines of the libvirt driver; null with the fake driver. */
  readonly hypervisors: Hypervisors | null
  readonly clouds: string
  readonly secure: string
  readonly cloud: RealCloud
  /** Method and path of each request to a public endpoint of the catalog. */
  readonly log: readonly string[]
  /** The proxy between Nova and Placement. Does not affect clients of the public endpoints. */
  readonly gate: Omit<Gate, 'close'>
  /** SIGSTOP freezes nova-compute of a host, SIGCONT resumes it, SIGKILL ends it as a power loss does. */
  signal(host: Compute, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  /** Starts nova-compute again after it was killed. */
  revive(host: Compute): void
  /** Writes the logs of the daemons and the recorded requests to a folder. */
  keepLogs(into: string): void
  /** Output of `nova-manage`. */
  manage(...args: readonly string[]): Promise<string>
  /** Output of a command that reads clouds.yaml; throws if it fails. */
  command(...command: readonly string[]): Promise<string>
  /** Stops all of Nova. Domains keep running. */
  stopNova(): Promise<void>
  startNova(): Promise<void>
  down(): Promise<void>
}

interface RigPlan {
  /** A new folder, which is removed with the rig. Its path must be short, because socket paths are limited. */
  readonly folder: string
  readonly computes: Computes
  /** The folder for the logs if the rig does not start. */
  readonly onFailure: string
}

export async function startRig({ folder, computes, onFailure }: RigPlan): Promise<Rig> {
  const hosts = computes === 'libvirt' ? HYPERVISORS : COMPUTES
  writeConfiguration(folder, hosts)
  let hypervisors: Hypervisors | null = null
  const log: string[] = []
  const processes = new Processes(folder)
  const gate = await startGate()
  const closers = [await startStandIns(), await startFront(log), gate.close]
  const down = async () => {
    await processes.stopAll()
    hypervisors?.crashAll()
    for (const close of closers) await close()
    fs.rmSync(folder, { recursive: true, force: true })
  }
  const keepLogs = (into: string) => {
    fs.cpSync(path.join(folder, 'log'), into, { recursive: true })
    fs.writeFileSync(path.join(into, 'requests.log'), `${log.join('\n')}\n`)
  }
  try {
    if (!restoreDatabases(folder)) await makeAll(processes, folder)
    startQueue(processes, folder)
    if (computes === 'libvirt') hypervisors = await Hypervisors.on(folder)
    const start = (host: Compute) =>
      processes.compute(host, hypervisors !== null && isHypervisor(host) ? hypervisors.inside(host) : [])
    // The controllers load slowly, so start them first. Start nova-compute only once the services that it needs are up.
    const startNova = async (asked?: Promise<unknown>) => {
      startControllers(processes)
      await asked
      hosts.forEach(start)
      await untilOpen(PORTS.nova)
    }
    await startDatabase(processes, folder)
    await startNova(
      Promise.all([startKeystone(processes, folder), startPlacement(processes, folder), untilOpen(PORTS.amqp)]),
    )
    const cloud = await RealCloud.signedIn()
    await cloud.untilUp(hosts)
    for (const [name, text] of Object.entries({ clouds: CLOUDS_YAML, secure: SECURE_YAML }))
      fs.writeFileSync(path.join(folder, `${name}.yaml`), text)
    const [clouds, secure] = [`${folder}/clouds.yaml`, `${folder}/secure.yaml`]
    const files = { OS_CLIENT_CONFIG_FILE: clouds, OS_CLIENT_SECURE_FILE: secure }
    return {
      ...{ folder, hypervisors, clouds: CLOUDS_YAML, secure: SECURE_YAML, cloud, log, gate, keepLogs, down },
      signal: (host, signal) => processes.signalCompute(host, signal),
      revive: start,
      command: (...command) => run(command, { ...files, OS_CLOUD: 'rig' }),
      stopNova: () => processes.stopNova(),
      startNova: () => startNova(),
      manage: async (...args) => {
        const all = ['--config-file', `${folder}/nova.conf`, ...args]
        return (await processes.ask('nova.cmd.manage', 'nova-manage', all)).output
      },
    }
  } catch (error) {
    keepLogs(onFailure)
    await down()
    throw error
  }
}

function startQueue(processes: Processes, folder: string): void {
  // Otherwise RabbitMQ would start its port mapper as a separate daemon, which would stay.
  processes.start('epmd', ['epmd', '-port', String(PORTS.epmd), '-address', '127.0.0.1'])
  processes.start('rabbit', [rabbitProgram()], {
    ...{ HOME: `${folder}/rabbit`, RABBITMQ_NODENAME: 'berth@localhost' },
    ...{ RABBITMQ_MNESIA_BASE: `${folder}/rabbit/data`, RABBITMQ_LOG_BASE: `${folder}/log` },
    RABBITMQ_CONFIG_FILE: `${folder}/rabbit/rabbitmq`,
    RABBITMQ_ADVANCED_CONFIG_FILE: `${folder}/rabbit/advanced.config`,
    RABBITMQ_ENABLED_PLUGINS_FILE: `${folder}/rabbit/enabled_plugins`,
    ...{ RABBITMQ_DIST_PORT: String(PORTS.erlang), RABBITMQ_PID_FILE: `${folder}/rabbit/pid`, RABBITMQ_NODE_PORT: '' },
    ...{ ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: String(PORTS.epmd) },
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 +sbwt none',
  })
}

/** The program behind the package's wrapper, which would switch to another user. */
function rabbitProgram(): string {
  const [folder = ''] = fs.readdirSync(RABBIT).filter((name) => name.startsWith('rabbitmq_server-'))
  return path.join(RABBIT, folder, 'sbin/rabbitmq-server')
}

function startControllers(processes: Processes): void {
  processes.nova('nova-conductor', 'conductor')
  processes.nova('nova-scheduler', 'scheduler')
  processes.nova('nova-api', 'api_os_compute')
}
