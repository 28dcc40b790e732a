import fs from 'node:fs/promises'
import path from 'node:path'
import type { TransferLimits } from '@/forms/transfer-limits'
import type { HostReading } from '../api/cloud/host-witness'
import type { TransferControl } from '../api/migration/transfer-limits'
import type { Driver } from '../drivers/driver'
import { type DomainRecordStore, emptyRecord, readDomainRecord } from '../drivers/libvirt/domain-record'
import { libvirtDriver } from '../drivers/libvirt/driver'
import { type HostLinks, HostSilence, hostLinks } from '../drivers/libvirt/host-links'
import { readFreePages, readInventory } from '../drivers/libvirt/inventory'
import { measureMemory } from '../drivers/libvirt/statistics/dirty-rate'
import { readStoredHost } from '../drivers/libvirt/stored-host'
import { limitTransfer } from '../drivers/libvirt/transfer'
import type { HostId } from '../engine/words/ids'
import { pagePoolsOf, readHypervisor } from '../import/hypervisor'
import type { Database } from '../store/database/database'
import { readDomain, writeDomain } from '../store/domain/domain'
import { readConnection } from '../store/host/facts'

// The driver of real hosts, with their stored connections and the records that all servers share.

interface LibvirtParts {
  readonly database: Database
  readonly now: () => number
  readonly onDown: (down: () => Promise<void>) => void
}

const SHUTDOWN_LIMIT_MS = 60_000 // Nova's `shutdown_timeout`

export interface OpenedLibvirt {
  readonly driver: Driver
  /** Everything a host reports about itself; null when it did not answer or the answer cannot be read. */
  readonly readHost: (host: HostId, signal: AbortSignal) => Promise<Omit<HostReading, 'at'> | null>
  readonly transfers: TransferControl
}

/** A host without a stored connection is treated as unreachable. */
export function openLibvirt({ database, now, onDown }: LibvirtParts): OpenedLibvirt {
  const links = hostLinks(async (host) => readStoredHost(await readConnection(database, host)))
  onDown(() => links.close())
  const driver = libvirtDriver({
    links,
    memory: sharedMemory(database),
    machineXml: machineFiles(process.env.LIBVIRT_MACHINES),
    now,
    shutdownLimitMs: SHUTDOWN_LIMIT_MS,
  })
  return {
    driver,
    readHost: (host, signal) => readHost(links, host, signal),
    transfers: transferControl(database, links),
  }
}

const AS_IT_IS = { name: null, dedicated: new Set<number>() }

async function readHost(links: HostLinks, host: HostId, signal: AbortSignal): Promise<Omit<HostReading, 'at'> | null> {
  try {
    return await links.at(host, async (connection) => {
      const answers = await readInventory(connection, null, signal)
      const { value, issues } = readHypervisor(answers, AS_IT_IS)
      if (value === null) return null
      const freePages = await readFreePages(connection, pagePoolsOf(value))
      const unreported = issues.map(({ where, what }) => `${where}: ${what}`)
      const domains = answers.domains?.map(({ uuid, name }) => ({ uuid, name })) ?? null
      return { hostname: answers.hostname, hypervisor: value, domains, freePages, unreported }
    })
  } catch (error) {
    if (error instanceof HostSilence) return null
    throw error
  }
}

const sharedMemory = (database: Database): DomainRecordStore => ({
  read: async (instance) => {
    const row = await readDomain(database, instance)
    if (row === null) return { version: 0, record: emptyRecord(instance) }
    return { version: row.version, record: readDomainRecord(instance, row.record) }
  },
  write: ({ version, record }) => writeDomain(database, { instance: record.instance, version, record }),
})

/** An operator's settings for one live migration; the server that runs it applies them. */
function transferControl(database: Database, links: HostLinks): TransferControl {
  const memory = sharedMemory(database)
  const policyTo = async (target: HostId): Promise<TransferLimits | null> => {
    const host = readStoredHost(await readConnection(database, target))
    if (!host.ok) return null
    const { bandwidthMibPerS, maxDowntimeMs } = host.host.policy
    return { bandwidthMibPerS, maxDowntimeMs }
  }
  return {
    policyTo,
    measure: (of) => measureMemory(links, of),
    async limitsOf({ id, instance, target }) {
      const { transfer } = (await memory.read(instance)).record
      if (target === null || transfer?.migration !== id || transfer.final !== null) return null
      if (transfer.limits) return transfer.limits
      return policyTo(target)
    },
    limit: ({ id, instance }, limits) => limitTransfer(memory, { migration: id, instance }, limits),
  }
}

const FILE_NAME = /^[\w][\w.-]{0,99}$/
const SUFFIX = '.xml'

/**
 * Domain definitions that the operator has put into a folder: `debian.xml` defines an instance of the image `debian`,
 * with its disks and networks. Null for an image without one.
 */
function machineFiles(folder: string | undefined): (imageName: string) => Promise<string | null> {
  return async (imageName) => {
    if (folder === undefined || !FILE_NAME.test(imageName)) return null
    return unlessMissing(fs.readFile(path.join(folder, `${imageName}${SUFFIX}`), 'utf8'))
  }
}

/** The images of those files. Read on every request: an operator adds one without a restart. */
export async function machineImages(): Promise<readonly string[]> {
  const folder = process.env.LIBVIRT_MACHINES
  const files = folder === undefined ? null : await unlessMissing(fs.readdir(folder))
  const names = (files ?? []).filter((file) => file.endsWith(SUFFIX)).map((file) => path.basename(file, SUFFIX))
  return names.filter((name) => FILE_NAME.test(name))
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
