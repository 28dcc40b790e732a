import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { DEVICES_WITHOUT_KVM, NAMESPACES, withSbin } from '../libvirt/prerequisites'
import { type RigTopology, writeSysfs } from '../libvirt/sysfs'
import { ADDRESSES, HYPERVISORS, type Hypervisor, hypervisorFolder, instancesFolder, socketPath } from './config'
import { run } from './processes'

// Machines for Nova's libvirt driver: each is a system libvirtd in its own namespaces, with its own folders, host name
// and disks, on a fake /sys. nova-compute runs inside. They need root, as Nova's driver does.

/** Two NUMA nodes of four cores with two threads. */
const TOPOLOGY: RigTopology = {
  nodes: [0, 1].map((id) => ({ id, cores: 4, threads: 2, memoryMib: 8_192, pages: {} })),
  ...{ offlineCpus: [], devices: [] },
}

const START_LIMIT_MS = 60_000
const WITH_ROOT = NAMESPACES.filter((word) => !['--user', '--map-root-user'].includes(word))
/** Folders of libvirtd. All except `run` survive a reboot of the machine. */
const PARTS = {
  ...{ etc: '/etc/libvirt', run: '/run/libvirt', lib: '/var/lib/libvirt' },
  ...{ log: '/var/log/libvirt', cache: '/var/cache/libvirt' },
}

export class Hypervisors {
  /** Pid, outside its namespace, of the first process of each running machine. */
  private readonly first = new Map<Hypervisor, string>()

  private constructor(private readonly folder: string) {
    // If the start times out, the test worker exits without calling `down`.
    process.once('exit', () => this.crashAll())
  }

  static async on(folder: string): Promise<Hypervisors> {
    const all = new Hypervisors(folder)
    const fold = path.join(folder, 'fold.so')
    const source = path.resolve(import.meta.dirname, '../libvirt/fold.c')
    execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', fold, source])
    fs.mkdirSync(instancesFolder(folder), { recursive: true })
    for (const host of HYPERVISORS) writeHost(folder, host)
    writeCopiers(folder)
    try {
      await Promise.all(HYPERVISORS.map((host) => all.boot(host)))
    } catch (error) {
      all.crashAll()
      throw error
    }
    return all
  }

  /** Prefix for a command that is to run inside. */
  inside(host: Hypervisor): readonly string[] {
    return ['nsenter', '-t', this.first.get(host) ?? '', '-m', '-u', '-i', '-p']
  }

  /** Runs `virsh` for the test itself, independent of the code under test. */
  async virsh(host: Hypervisor, ...words: readonly string[]): Promise<string> {
    const uri = `qemu+unix:///system?socket=${socketPath(this.folder, host)}`
    return run(['virsh', '-q', '-c', uri, ...words], { ...PLAIN_WORDS, PATH: withSbin().PATH ?? '' })
  }

  /** Power loss: libvirtd, domains and nova-compute end at once. */
  crash(host: Hypervisor): void {
    const first = this.first.get(host)
    if (first !== undefined) process.kill(Number(first), 'SIGKILL')
    this.first.delete(host)
  }

  crashAll(): void {
    for (const host of [...this.first.keys()]) this.crash(host)
  }

  private async boot(host: Hypervisor): Promise<void> {
    const folder = hypervisorFolder(this.folder, host)
    const log = fs.openSync(path.join(this.folder, 'log', `${host}.out`), 'a')
    const outer = spawn('unshare', [...WITH_ROOT, path.join(folder, 'init')], {
      ...{ env: withSbin(), stdio: ['ignore', log, log] },
    })
    fs.closeSync(log)
    const ended = once(outer, 'exit').then(() => 'ended')
    const deadline = Date.now() + START_LIMIT_MS
    for (;;) {
      const [first = ''] = childrenOf(outer.pid)
      if (first !== '') this.first.set(host, first)
      const answer = await Promise.race([ended, this.virsh(host, 'hostname').catch(() => null)])
      if (answer?.trim() === host) return
      if (answer === 'ended' || Date.now() > deadline)
        throw new Error(`${host} did not start; log/${host}.out says why.`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

const PLAIN_WORDS = { LC_ALL: 'C', LIBVIRT_AUTOSTART: '0' }

function childrenOf(pid: number | undefined): readonly string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  } catch {
    return [] // it has exited
  }
}

function writeHost(rig: string, host: Hypervisor): void {
  const folder = hypervisorFolder(rig, host)
  for (const part of [...Object.keys(PARTS), 'sys', 'disks']) fs.mkdirSync(path.join(folder, part), { recursive: true })
  writeSysfs(path.join(folder, 'sys'), TOPOLOGY)
  fs.writeFileSync(path.join(folder, 'etc/libvirtd.conf'), daemonSettings(host))
  fs.writeFileSync(path.join(folder, 'etc/qemu.conf'), qemuSettings(host))
  fs.writeFileSync(path.join(folder, 'init'), initScript(rig, host), { mode: 0o755 })
}

/** Programs that nova-compute finds before the system's own. */
const programsFolder = (rig: string) => path.join(rig, 'bin')

/** Replaces ssh and scp, with which Nova copies disks in a cold migration, by local copies between the machines. */
function writeCopiers(rig: string): void {
  const disksOf = (host: Hypervisor) => `${hypervisorFolder(rig, host)}/disks`
  const cases = HYPERVISORS.map((host) => `${ADDRESSES[host]} | ${host}) echo ${disksOf(host)} ;;`)
  const head = `#!/bin/bash
set -e
disks() { case $1 in ${cases.join(' ')} *) exit 255 ;; esac; }
there() { case $2 in ${instancesFolder(rig)}*) echo "$(disks "$1")\${2#${instancesFolder(rig)}}" ;; *) echo "$2" ;; esac; }
args=()
`
  const ssh = `host=$3 # after -o BatchMode=yes
for each in "\${@:4}"; do args+=("$(there "$host" "$each")"); done
exec "\${args[@]}"
`
  const scp = `for each; do
  case $each in
    -*) ;;
    [!/]*:*) args+=("$(there "\${each%%:*}" "\${each#*:}")") ;;
    *) args+=("$each") ;;
  esac
done
exec cp -r --sparse=always "\${args[@]}"
`
  fs.mkdirSync(programsFolder(rig))
  for (const [name, rest] of Object.entries({ ssh, scp }))
    fs.writeFileSync(path.join(programsFolder(rig), name), `${head}${rest}`, { mode: 0o755 })
}

/** libvirt identifies machines by this id alone. */
const daemonSettings = (host: Hypervisor) => `host_uuid = "5f3c1a52-8f0d-4e0e-9a63-0000000000${host.slice(-1)}1"
listen_tls = 0
listen_tcp = 1
auth_tcp = "none"
listen_addr = "${ADDRESSES[host]}"
auth_unix_rw = "none"
auth_unix_ro = "none"
`

/** QEMU runs as root of its machine, and nothing changes file owners. */
const qemuSettings = (host: Hypervisor) => `stdio_handler = "file"
security_driver = "none"
user = "root"
group = "root"
dynamic_ownership = 0
remember_owner = 0
namespaces = []
cgroup_controllers = []
migration_address = "${ADDRESSES[host]}"
migration_host = "${ADDRESSES[host]}"
`

/** The first process of the machine; it reaps children in a loop. */
function initScript(rig: string, host: Hypervisor): string {
  const folder = hypervisorFolder(rig, host)
  const binds = Object.entries(PARTS).map(([part, at]) => `mkdir -p ${at}; mount --bind ${folder}/${part} ${at}`)
  const names = HYPERVISORS.map((each) => `echo ${ADDRESSES[each]} ${each}`).join('; ')
  return `#!/bin/bash
set -e
find ${folder}/run -mindepth 1 -delete
mount --make-rprivate /
mount -t tmpfs -o size=64m,mode=755 tmpfs /run
${binds.join('\n')}
mount --bind ${folder}/disks ${instancesFolder(rig)}
${DEVICES_WITHOUT_KVM}
hostname ${host}
{ cat /etc/hosts; ${names}; } > /run/hosts
mount --bind /run/hosts /etc/hosts
mount --bind ${folder}/sys /sys
LIBVIRT_AUTOSTART=0 SYSTEMD_DEVICE_VERIFY_SYSFS=0 LD_PRELOAD=${rig}/fold.so \\
  libvirtd -f /etc/libvirt/libvirtd.conf -p /run/libvirt/libvirtd.pid --listen -d
set +e
while :; do wait -n 2>/dev/null || sleep 0.2; done
`
}
