import { type DomainEvent, type HypervisorVersions, LIFECYCLE_EVENTS } from '../connection'
import { HypervisorError } from '../errors'
import { type JobStatistics, jobStatistics } from '../statistics/job'
import { type MemoryStatistics, memoryStatistics } from '../statistics/memory'
import type { StoragePool } from '../storage/control'

// Parses the output of `virsh`. It is meant for humans, so anything unexpected is a fault, never a guess.

export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')

const unexpected = (what: string, text: string) =>
  new HypervisorError('protocol', `virsh printed no ${what}: ${JSON.stringify(text.slice(0, 200))}`)

/** Of `virsh version --daemon`. */
export function readVersions(text: string): HypervisorVersions {
  const [, hypervisor] = /^Running hypervisor: \S+ ([\d.]+)$/m.exec(text) ?? []
  const [, libvirt] = /^Running against daemon: ([\d.]+)$/m.exec(text) ?? []
  if (libvirt === undefined || hypervisor === undefined) throw unexpected('versions', text)
  return { libvirt, hypervisor }
}

/** Of `virsh freepages --cellno N --pagesize KIB`. */
export function readFreePages(text: string): number {
  const [, count] = /^\d+KiB: (\d+)$/m.exec(text) ?? []
  if (count === undefined) throw unexpected('number of free pages', text)
  return Number(count)
}

/** Of `virsh domjobinfo --rawstats`: the fields as libvirt names them. */
export function readJobStatistics(text: string): JobStatistics {
  const [, type] = /^Job type: (\d+)$/m.exec(text) ?? []
  if (type === undefined) throw unexpected('job', text)
  return jobStatistics(Number(type), fieldsIn(text, /^([a-z_]+): (.*)$/))
}

/** Of `virsh domstats --balloon --dirtyrate`. */
export function readMemoryStatistics(text: string): MemoryStatistics {
  if (!/^Domain: /m.test(text)) throw unexpected('statistics', text)
  return memoryStatistics(fieldsIn(text, /^ +([a-z_.]+)=(.*)$/))
}

/** Of `virsh pool-info --bytes`; null for a pool that is not active. */
export function readPool(text: string): StoragePool | null {
  const figure = (name: string) => {
    const [, value] = new RegExp(`^${name}: +(\\d+)$`, 'm').exec(text) ?? []
    if (value === undefined) throw unexpected('pool', text)
    return Number(value)
  }
  if (!/^State: +(running|degraded)$/m.test(text)) return null
  return { capacityBytes: figure('Capacity'), availableBytes: figure('Available') }
}

/** Of `virsh vol-list`: a name and a path in each line. */
export const readVolumeNames = (text: string): readonly string[] =>
  linesOf(text)
    .map((line) => {
      const [, name] = /^ ?(\S.*?)\s{2,}\S/.exec(line) ?? []
      if (name === undefined) throw unexpected('volume', line)
      return name
    })
    .sort()

/** Parses each line by the pattern's two groups: a name, and a number or a text. */
function fieldsIn(text: string, pattern: RegExp): Readonly<Record<string, number | string>> {
  const fields = linesOf(text).flatMap((line): [string, number | string][] => {
    const [, name, value] = pattern.exec(line) ?? []
    if (name === undefined || value === undefined) return []
    return [[name, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value]]
  })
  return Object.fromEntries(fields)
}

const EVENT = /^event '([a-z-]+)' for domain '(.*)':(?: (.*))?$/

/** A line of `virsh event --loop`; null for an unknown event. */
export function readEvent(line: string): DomainEvent | null {
  const [, kind, name, detail = ''] = EVENT.exec(line) ?? []
  if (name === undefined) return null
  if (kind === 'job-completed') return { kind, name, uuid: null }
  if (kind === 'migration-iteration') {
    const [, iteration] = /'(\d+)'/.exec(detail) ?? []
    return iteration === undefined ? null : { kind, name, uuid: null, iteration: Number(iteration) }
  }
  const word = detail.split(' ')[0]?.toLowerCase()
  const event = LIFECYCLE_EVENTS.find((known) => known === word)
  return kind === 'lifecycle' && event ? { kind, name, uuid: null, event } : null
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** `virsh` would take a name, or an option, in the place of a uuid. */
export function checkedUuid(uuid: string): string {
  if (!UUID.test(uuid)) throw new HypervisorError('refused', `"${uuid}" is not a UUID`)
  return uuid
}
