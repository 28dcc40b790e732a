import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { DEVICES_WITHOUT_KVM, NAMESPACES, NESTED, withSbin } from './prerequisites'
import { type RigTopology, writeSysfs } from './sysfs'

const run = promisify(execFile)

// One libvirt host: a libvirtd in its own namespaces, on a fake /sys, with its own folders, host name and loopback
// address. Killing its first process ends the whole host, as a power loss does.

export interface RigHost {
  readonly name: string
  readonly folder: string
  readonly socketPath: string
  readonly ip: string
  readonly pkiPath: string
  isUp(): boolean
  /** How often it booted. A reboot leaves foreign domains off. */
  boots(): number
  /** Runs `virsh` for the test itself, independent of the code under test. */
  virsh(...words: string[]): Promise<string>
  /** Command line that runs `words` on the host as the user of the daemon. Inherits standard streams. */
  inside(words: readonly string[]): readonly string[]
  killDaemon(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>
  startDaemon(): Promise<void>
  /** Power loss: ends everything that runs on the host. */
  down(): Promise<void>
  /** Boots it after `down`: definitions are kept, and nothing runs. */
  boot(): Promise<void>
}

export interface RigHostPlan {
  readonly name: string
  readonly ip: string
  readonly folder: string
  readonly topology: RigTopology
  readonly pkiPath: string
  /** fold.c, compiled. */
  readonly foldPath: string
}

const START_LIMIT_MS = 60_000
/** A host ends with the process that booted it, even if that process is killed. */
const WITH_US = ['--pdeathsig', 'KILL']

export async function bootHost(plan: RigHostPlan): Promise<RigHost> {
  const { folder } = plan
  for (const part of ['etc/qemu', 'run', 'lib', 'cache', 'sys', 'bin'])
    fs.mkdirSync(path.join(folder, part), { recursive: true, mode: 0o700 })
  fs.rmSync(path.join(folder, 'config'), { force: true, recursive: true })
  fs.mkdirSync(path.join(folder, 'config'))
  fs.symlinkSync('../etc', path.join(folder, 'config/libvirt'))
  writeSysfs(path.join(folder, 'sys'), plan.topology)
  fs.writeFileSync(path.join(folder, 'etc/libvirtd.conf'), daemonSettings(plan))
  fs.writeFileSync(path.join(folder, 'etc/qemu.conf'), qemuSettings(plan))
  fs.writeFileSync(path.join(folder, 'start'), startScript(plan), { mode: 0o755 })
  fs.writeFileSync(path.join(folder, 'init'), initScript(plan), { mode: 0o755 })
  const host = hostOf(plan)
  await host.boot()
  return host
}

function launch({ folder }: RigHostPlan): ChildProcess {
  const log = fs.openSync(path.join(folder, 'out'), 'a')
  const outer = spawn('setpriv', [...WITH_US, 'unshare', ...NAMESPACES, path.join(folder, 'init')], {
    env: withSbin(),
    stdio: ['ignore', log, log],
  })
  fs.closeSync(log)
  return outer
}

function hostOf(plan: RigHostPlan): RigHost {
  const { name, folder, ip, pkiPath } = plan
  let outer: ChildProcess | null = null
  let boots = 0
  const socketPath = path.join(folder, 'run/libvirt/libvirt-sock')
  const uri = `qemu+unix:///session?socket=${encodeURIComponent(socketPath)}`
  const env = { ...withSbin(), LC_ALL: 'C', LIBVIRT_AUTOSTART: '0' }
  // With unshare --fork the child is the first process of the host.
  const first = () => fs.readFileSync(`/proc/${outer?.pid}/task/${outer?.pid}/children`, 'utf8').trim()
  const enter = () => ['nsenter', '-t', first(), '-U', '-m', '-u', '-i', '-p', '--preserve-credentials']
  const daemon = () => fs.readFileSync(path.join(folder, 'run/libvirtd.pid'), 'utf8').trim()
  const within = async (words: readonly string[]) => {
    const [command = '', ...rest] = [...enter(), ...words]
    return run(command, rest, { env })
  }
  /** A killed daemon keeps the lock of its pid file until it has exited; the next one would not start. */
  const untilGone = async (pid: string) => {
    const isThere = () => within(['kill', '-0', pid]).then(Boolean, () => false)
    const until = performance.now() + START_LIMIT_MS
    while (await isThere())
      if (performance.now() > until) throw new Error(`Daemon ${pid} of ${name} outlives its SIGKILL.`)
  }
  const host: RigHost = {
    name,
    folder,
    socketPath,
    ip,
    pkiPath,
    boots: () => boots,
    isUp: () => outer !== null && !hasEnded(outer),
    virsh: async (...words) => (await run('virsh', ['-q', '-c', uri, ...words], { env, timeout: 60_000 })).stdout,
    inside: (words) => [...enter(), 'unshare', ...NESTED, ...words],
    killDaemon: async (signal) => {
      const pid = daemon()
      await within(['kill', `-${signal.slice(3)}`, pid])
      if (signal === 'SIGKILL') await untilGone(pid)
    },
    startDaemon: async () => {
      await within([path.join(folder, 'start')])
      if (outer) await answering(host, outer)
    },
    down: async () => {
      if (outer === null || hasEnded(outer)) return
      const ended = once(outer, 'exit')
      process.kill(Number(first()), 'SIGKILL')
      await ended
    },
    boot: async () => {
      for (const left of ['run/libvirtd.pid', 'run/libvirt']) // after a boot /run is empty
        fs.rmSync(path.join(folder, left), { recursive: true, force: true })
      outer = launch(plan)
      boots += 1
      await answering(host, outer)
      fs.writeFileSync(path.join(folder, 'first.pid'), first()) // for the fencing command
    },
  }
  return host
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function answering(host: RigHost, outer: ChildProcess): Promise<void> {
  const until = performance.now() + START_LIMIT_MS
  for (;;) {
    if (hasEnded(outer)) throw new Error(`${host.name} ended: ${outputOf(host)}`)
    const answer = await host.virsh('hostname').catch(() => null)
    if (answer !== null) return
    if (performance.now() > until) throw new Error(`${host.name} does not answer: ${outputOf(host)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const outputOf = ({ folder }: RigHost) => fs.readFileSync(path.join(folder, 'out'), 'utf8').slice(-2_000)

/** libvirt identifies hosts by this id alone. */
function hostUuid(name: string): string {
  const hex = createHash('sha1').update(`rig ${name}`).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}

const daemonSettings = ({ name, folder, ip, pkiPath }: RigHostPlan) => `host_uuid = "${hostUuid(name)}"
listen_tls = 1
listen_tcp = 0
listen_addr = "${ip}"
tls_port = "16514"
ca_file = "${pkiPath}/cacert.pem"
cert_file = "${pkiPath}/servercert.pem"
key_file = "${pkiPath}/serverkey.pem"
tls_allowed_dn_list = ["CN=berth"]
auth_tls = "none"
auth_unix_rw = "none"
auth_unix_ro = "none"
keepalive_interval = 2
keepalive_count = 3
log_outputs = "3:file:${folder}/libvirtd.log"
`

const qemuSettings = ({ ip, pkiPath }: RigHostPlan) => `stdio_handler = "file"
security_driver = "none"
migration_address = "${ip}"
migration_host = "${ip}"
migrate_tls_x509_cert_dir = "${pkiPath}"
migrate_tls_x509_verify = 1
`

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** SYSTEMD_DEVICE_VERIFY_SYSFS=0: libudev otherwise refuses a /sys that is not a sysfs. */
function startScript({ folder, foldPath }: RigHostPlan): string {
  const of = (part: string) => quoted(path.join(folder, part))
  return `#!/bin/bash
exec env -i PATH="$PATH" HOME=${quoted(folder)} XDG_RUNTIME_DIR=${of('run')} XDG_CONFIG_HOME=${of('config')} \\
  XDG_CACHE_HOME=${of('cache')} XDG_DATA_HOME=${of('lib')} LIBVIRT_AUTOSTART=0 SYSTEMD_DEVICE_VERIFY_SYSFS=0 \\
  unshare ${NESTED.join(' ')} env LD_PRELOAD=${quoted(foldPath)} libvirtd -f ${of('etc/libvirtd.conf')} -p ${of('run/libvirtd.pid')} --listen -d
`
}

/**
 * The first process of the host. It reaps children, because libvirt waits until its QEMUs have exited: bash does that
 * while it waits for its own child. Polling five times a second would take a quarter of the CPU time of the rig.
 */
const initScript = ({ name, folder }: RigHostPlan) => `#!/bin/bash
set -e
mount --make-rprivate /
mount -t tmpfs -o size=64m,mode=755 tmpfs /run
${DEVICES_WITHOUT_KVM}
hostname ${quoted(name)}
mount --bind ${quoted(path.join(folder, 'sys'))} /sys
${quoted(path.join(folder, 'start'))}
set +e
while :; do sleep infinity & wait $!; done
`
