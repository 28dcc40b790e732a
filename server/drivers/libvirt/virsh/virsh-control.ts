import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type HypervisorAddress, uriOf } from '../address'
import type { DomainControl, MigrationOrder } from '../control'
import type { StorageControl } from '../storage/control'
import { nullIfMissing, runVirsh } from './command'
import { checkedUuid, linesOf, readPool, readVolumeNames } from './output'

/** Each change is a separate process; that of a migration runs until its end, or until `signal` is aborted. */
export function virshControl(address: HypervisorAddress, limitMs: number, signal: AbortSignal): DomainControl {
  const act = async (command: string, uuid: string, ...more: readonly string[]) => {
    await runVirsh(address, [command, '--domain', checkedUuid(uuid), ...more], { limitMs })
  }
  return {
    define: (xml) =>
      withFiles({ xml }, async ({ xml: file }) => {
        await runVirsh(address, ['define', '--file', file], { limitMs })
      }),
    undefine: (uuid) =>
      act('undefine', uuid, '--managed-save', '--snapshots-metadata', '--checkpoints-metadata', '--keep-nvram'),
    start: (uuid) => act('start', uuid),
    shutdown: (uuid) => act('shutdown', uuid, '--mode', 'acpi'),
    destroy: (uuid) => act('destroy', uuid),
    reboot: (uuid) => act('reboot', uuid),
    reset: (uuid) => act('reset', uuid),
    suspend: (uuid) => act('suspend', uuid),
    resume: (uuid) => act('resume', uuid),
    migrate: (uuid, order) =>
      withFiles({ live: order.liveXml, persistent: order.persistentXml }, async ({ live, persistent }) => {
        const files = ['--xml', live, '--persistent-xml', persistent]
        const words = ['migrate', '--domain', checkedUuid(uuid), ...files, ...migrationWords(order)]
        await runVirsh(address, words, { limitMs: null, signal })
      }),
    abortJob: (uuid) => act('domjobabort', uuid),
    setMigrationSpeed: (uuid, mibPerS) => act('migrate-setspeed', uuid, '--bandwidth', `${mibPerS}`),
    setMigrationDowntime: (uuid, ms) => act('migrate-setmaxdowntime', uuid, '--downtime', `${ms}`),
    startDirtyRate: (uuid, seconds) => act('domdirtyrate-calc', uuid, '--seconds', `${seconds}`),
    startPostCopy: (uuid) => act('migrate-postcopy', uuid),
  }
}

function migrationWords({ destination, dataAddress, copiedDisks, policy }: MigrationOrder): readonly string[] {
  const { bandwidthMibPerS, parallelConnections } = policy
  return [
    ...['--desturi', uriOf(destination), '--live', '--p2p', '--persistent', '--undefinesource'],
    ...(dataAddress === null ? [] : ['--migrateuri', `tcp://${dataAddress}`]),
    ...(copiedDisks.length > 0 ? ['--copy-storage-all', '--migrate-disks', copiedDisks.join(',')] : []),
    ...(bandwidthMibPerS === null ? [] : ['--bandwidth', `${bandwidthMibPerS}`]),
    ...(policy.autoConverge ? ['--auto-converge'] : []),
    ...(policy.postCopy ? ['--postcopy'] : []),
    ...(parallelConnections === null ? [] : ['--parallel', '--parallel-connections', `${parallelConnections}`]),
    ...(policy.tls ? ['--tls'] : []),
  ]
}

/** Pools and volumes, with one process per call. */
export function virshStorage(address: HypervisorAddress, limitMs: number): StorageControl {
  const run = (...words: string[]) => runVirsh(address, words, { limitMs })
  const active = async () => linesOf(await run('pool-list', '--name')).map((line) => line.trim())
  const names = async (pool: string) => readVolumeNames(await run('vol-list', '--pool', pool))
  return {
    pool: (name) =>
      nullIfMissing(active, name, async () => readPool(await run('pool-info', '--bytes', '--pool', name))),
    async refreshPool(name) {
      await run('pool-refresh', '--pool', name)
    },
    volumes: names,
    volumeXml: (pool, name) =>
      nullIfMissing(
        () => names(pool),
        name,
        () => run('vol-dumpxml', '--pool', pool, '--vol', name),
      ),
    createVolume: (pool, xml) =>
      withFiles({ xml }, async ({ xml: file }) => {
        await run('vol-create', '--pool', pool, '--file', file)
      }),
    async deleteVolume(pool, name) {
      await run('vol-delete', '--pool', pool, '--vol', name)
    },
  }
}

/** `virsh` reads XML from files only: the pipes that Node gives a process cannot be opened by their names. */
async function withFiles<K extends string, R>(
  texts: Readonly<Record<K, string>>,
  use: (files: Readonly<Record<K, string>>) => Promise<R>,
): Promise<R> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'berth-virsh-'))
  try {
    const names = Object.keys(texts) as K[]
    const files = names.map((name) => [name, path.join(folder, `${name}.xml`)] as const)
    for (const [name, file] of files) await fs.writeFile(file, texts[name], { mode: 0o600 })
    return await use(Object.fromEntries(files) as Record<K, string>)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}
