import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

// Whether this machine can carry the rig. As root the packages are installed; nothing else of it needs root.

const PACKAGES = [
  ...['libvirt-daemon', 'libvirt-daemon-driver-qemu', 'libvirt-clients', 'qemu-system-x86', 'qemu-utils', 'gnutls-bin'],
  ...['gcc', 'libc6-dev', 'redfishtool'],
]
const COMMANDS = [
  'libvirtd',
  'virsh',
  'virt-ssh-helper',
  'qemu-system-x86_64',
  'qemu-img',
  'certtool',
  'unshare',
  'nsenter',
  'bash',
  'gcc',
]
const INSTALL_LIMIT_MS = 300_000
const WAIT_FOR_OTHERS = ['-o', 'DPkg::Lock::Timeout=120'] // another installation holds the lock of dpkg

/** Null when it can; otherwise why not, in a sentence for the report. */
export function whyNoRig(): string | null {
  if (process.platform !== 'linux') return 'the rig of libvirt hosts needs Linux'
  if (missingCommands().length > 0 && process.getuid?.() === 0) install()
  const missing = missingCommands()
  if (missing.length > 0) return `not installed: ${missing.join(', ')}; Debian's packages are ${PACKAGES.join(' ')}`
  const probe = spawnSync('unshare', [...NAMESPACES, 'unshare', ...NESTED, 'true'], { encoding: 'utf8' })
  return probe.status === 0 ? null : `no user namespaces here: ${probe.stderr.trim()}`
}

const FAULTS_BY_ALL = '/proc/sys/vm/unprivileged_userfaultfd'

/** The hosts of the rig have no privileges, and post-copy has its faults of memory served by QEMU itself. */
export const whyNoPostCopy = (): string | null =>
  fs.existsSync(FAULTS_BY_ALL) && fs.readFileSync(FAULTS_BY_ALL, 'utf8').trim() === '1'
    ? null
    : 'vm.unprivileged_userfaultfd is not 1'

/** A host of its own: users, mounts, name, message queues and processes. */
export const NAMESPACES = [
  ...['--user', '--map-root-user', '--mount', '--uts', '--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'],
]
/**
 * For the first process of such a host: a /dev of its own, with no kvm, so that guests are the same on every machine. One that is
 * there and does not work has libvirt probe QEMU again at every call.
 */
export const DEVICES_WITHOUT_KVM = `mkdir /run/dev0
mount --rbind /dev /run/dev0
mount -t tmpfs -o mode=755 tmpfs /dev
mkdir /dev/pts /dev/shm
for n in null zero full random urandom tty; do touch /dev/$n; mount --bind /run/dev0/$n /dev/$n; done
mount --rbind /run/dev0/pts /dev/pts
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
ln -s pts/ptmx /dev/ptmx; ln -s /proc/self/fd /dev/fd
ln -s fd/0 /dev/stdin; ln -s fd/1 /dev/stdout; ln -s fd/2 /dev/stderr
umount -l /run/dev0`
/** libvirt cannot run QEMU as the root of a namespace; a user below it has a daemon of its own (session mode). */
export const NESTED = ['--user', '--map-user=1000', '--map-group=1000']

const missingCommands = () =>
  COMMANDS.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`], { env: withSbin() }).status !== 0)

function install(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...words: string[]) =>
    spawnSync('apt-get', ['-q', ...WAIT_FOR_OTHERS, ...words], { env, timeout: INSTALL_LIMIT_MS, stdio: 'ignore' })
      .status === 0
  const put = () => apt('install', '-y', '--no-install-recommends', ...PACKAGES)
  if (!put() && apt('update')) put()
}

export const withSbin = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin`,
})
