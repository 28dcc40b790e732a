import { z } from 'zod'
import { transferLimits } from '@/forms/transfer-limits'
import type { Progress } from '../../engine/migration/state'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'

// What Berth itself must store about a libvirt domain: hosts keep no fences, an evacuation needs the definition when
// its host is dead, and a migration is recorded before it is started, so that it is adopted after a restart. All
// servers share it; wiring passes its location.

const nonNegativeInt = z.int().nonnegative()
const amount = z.number().nonnegative()
const idOf = <Id extends HostId | InstanceId | MigrationId>() => z.uuid().transform((text) => text as Id)

const progress = z.object({
  ...{ at: amount, totalBytes: amount, remainingBytes: amount, dirtyBytesPerS: amount, bandwidthBytesPerS: amount },
  ...{ iteration: nonNegativeInt, downtimeMs: amount.nullable(), postCopy: z.boolean() },
}) satisfies z.ZodType<Progress>

const transfer = z.object({
  ...{ migration: idOf<MigrationId>(), source: idOf<HostId>(), target: idOf<HostId>() },
  ...{ startedAt: amount, stopped: z.boolean(), forced: z.boolean() },
  /** The limits set for the migration; null: libvirt's own. Like the next two, absent in old records. */
  bandwidthMibPerS: nonNegativeInt.nullable().default(null),
  maxDowntimeMs: nonNegativeInt.nullable().default(null),
  /** Overrides for this migration alone; null: the policy of its target applies. */
  limits: transferLimits.nullable().default(null),
  /** libvirt's reason for its end, if the server that started it received one. */
  failure: z.string().nullable(),
  /** Its statistics at the end. */
  final: progress.nullable(),
})
export type TransferRecord = Readonly<z.infer<typeof transfer>>

const domainRecord = z.object({
  instance: idOf<InstanceId>(),
  /** The last generation of the instance: operations decided earlier come too late. */
  generation: nonNegativeInt,
  /** The last fence of each migration, the newest migration last. */
  fences: z.array(z.object({ migration: idOf<MigrationId>(), fence: nonNegativeInt })).readonly(),
  /** Its latest definition, with its secrets. */
  xml: z.string().nullable(),
  /** When Berth last started it, ms since the epoch. */
  startedAt: amount.nullable(),
  /** Host on which Berth last verified it; null: none yet. Absent in old records. */
  home: idOf<HostId>().nullable().default(null),
  transfer: transfer.readonly().nullable(),
})
export type DomainRecord = Readonly<z.infer<typeof domainRecord>>

/**
 * The record of a domain as it was stored. Throws when it was edited into something else: a guessed fence or transfer
 * could start a domain twice, so nothing is done with that domain until the row is repaired.
 */
export function readDomainRecord(instance: InstanceId, stored: unknown): DomainRecord {
  const read = domainRecord.safeParse(stored)
  const where = read.success ? 'instance' : read.error.issues[0]?.path.join('.') || 'record'
  if (read.success && read.data.instance === instance) return read.data
  throw new Error(
    `The record of domain ${instance} in domain_record is not as Berth wrote it: ${where} is wrong. ` +
      'Nothing was changed on its hosts; restore the row from a backup.',
  )
}

/** A record with the version it was read at; version 0 was never written. */
export interface VersionedRecord {
  readonly version: number
  readonly record: DomainRecord
}

export interface DomainRecordStore {
  /** A record that was never written is empty. */
  read(instance: InstanceId): Promise<VersionedRecord>
  /** False when it has been written since it was read. */
  write(next: VersionedRecord): Promise<boolean>
}

export const emptyRecord = (instance: InstanceId): DomainRecord => ({
  instance,
  generation: 0,
  fences: [],
  xml: null,
  startedAt: null,
  home: null,
  transfer: null,
})

/** For a test, or a single process. */
export function inProcessRecordStore(): DomainRecordStore {
  const records = new Map<InstanceId, VersionedRecord>()
  return {
    read: async (instance) => records.get(instance) ?? { version: 0, record: emptyRecord(instance) },
    write: async ({ version, record }) => {
      if ((records.get(record.instance)?.version ?? 0) !== version) return false
      records.set(record.instance, { version: version + 1, record })
      return true
    },
  }
}

/** Servers may differ in the time by less. */
const CLOCKS_DIFFER_MS = 10_000

/** A time that was recorded before the clock was set back says nothing about how long ago that was. */
export const isAhead = (recordedAt: number, now: number): boolean => recordedAt > now + CLOCKS_DIFFER_MS

const MAX_RACES = 20 // operations of one instance come from one conductor at a time, so more than a few is a defect

/** Reads, changes and writes; retries after a concurrent write. `null` from `change` writes nothing. */
export async function updateDomainRecord(
  memory: DomainRecordStore,
  instance: InstanceId,
  change: (record: DomainRecord) => DomainRecord | null,
): Promise<DomainRecord | null> {
  for (let race = 0; race < MAX_RACES; race++) {
    const { version, record } = await memory.read(instance)
    const next = change(record)
    if (next === null || next === record) return next
    if (await memory.write({ version, record: next })) return next
  }
  throw new Error(`The record of domain ${instance} was written ${MAX_RACES} times by others.`)
}

const MAX_FENCES = 16 // older migrations: none of their operations can still be running

export interface FenceRecord {
  /** Null for building, destroying and power. */
  readonly migration: MigrationId | null
  readonly fence: number
  readonly generation: number
}

/** Null when a newer fence was recorded before. */
export function acceptFence(record: DomainRecord, { migration, fence, generation }: FenceRecord): DomainRecord | null {
  if (migration === null) {
    if (record.generation > generation) return null
    return record.generation === generation ? record : { ...record, generation }
  }
  const before = record.fences.find((seen) => seen.migration === migration)
  if (before && before.fence > fence) return null
  if (before?.fence === fence && record.generation >= generation) return record
  const others = record.fences.filter((seen) => seen.migration !== migration)
  return {
    ...record,
    generation: Math.max(record.generation, generation),
    fences: [...others, { migration, fence }].slice(-MAX_FENCES),
  }
}
