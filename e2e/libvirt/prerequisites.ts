import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

// Checks whether this machine can run the rig. As root, installs missing packages; nothing else needs root.

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
const WAIT_FOR_OTHERS = ['-o', 'DPkg::Lock::Timeout=120'] // another installation may hold the dpkg lock

/** Null if it can; otherwise the reason, for the report. */
export function whyNoRig(): string | null {
  if (process.platform !== 'linux') return 'the rig of libvirt hosts needs Linux'
  if (missingCommands().length > 0 && process.getuid?.() === 0) install()
  const missing = missingCommands()
  if (missing.length > 0) return `not installed: ${missing.join(', ')}; Debian's packages are ${PACKAGES.join(' ')}`
  const probe = spawnSync('unshare', [...NAMESPACES, 'unshare', ...NESTED, 'true'], { encoding: 'utf8' })
  return probe.status === 0 ? null : `no user namespaces here: ${probe.stderr.trim()}`
}

const FAULTS_BY_ALL = '/proc/sys/vm/unprivileged_userfaultfd'

/** Null if post-copy works. QEMU needs userfaultfd for it, and the hosts of the rig are unprivileged. */
export const whyNoPostCopy = (): string | null =>
  fs.existsSync(FAULTS_BY_ALL) && fs.readFileSync(FAULTS_BY_ALL, 'utf8').trim() === '1'
    ? null
    : 'vm.unprivileged_userfaultfd is not 1'

/** Namespaces of a host: users, mounts, host name, IPC and processes. */
export const NAMESPACES = [
  ...['--user', '--map-root-user', '--mount', '--uts', '--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'],
]
/**
 * Run by the first process of such a host: makes a /dev without kvm, so that domains are the same on every machine.
 * With a /dev/kvm that does not work, libvirt would probe QEMU at every call.
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
/** libvirt cannot run QEMU as root of a user namespace, so a nested user runs its own daemon (session mode). */
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
