import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import { type DomainRecord, emptyRecord, readDomainRecord } from './domain-record'

const instance = randomUUID() as InstanceId

const FULL: DomainRecord = {
  ...{ instance, generation: 3, fences: [{ migration: randomUUID() as MigrationId, fence: 7 }] },
  ...{ xml: '<domain/>', startedAt: 1_790_000_000_000.5, home: randomUUID() as HostId },
  transfer: {
    ...{ migration: randomUUID() as MigrationId, source: randomUUID() as HostId, target: randomUUID() as HostId },
    ...{ startedAt: 1, stopped: false, forced: true, bandwidthMibPerS: null, maxDowntimeMs: 300, failure: null },
    limits: { bandwidthMibPerS: 8, maxDowntimeMs: null },
    final: {
      ...{ at: 2, totalBytes: 9, remainingBytes: 0, dirtyBytesPerS: 1.5, bandwidthBytesPerS: 1e9 },
      ...{ iteration: 2, downtimeMs: null, postCopy: false },
    },
  },
}

test('a record is read back as it was stored', () => {
  for (const record of [emptyRecord(instance), FULL]) {
    expect(readDomainRecord(instance, JSON.parse(JSON.stringify(record)))).toEqual(record)
  }
})

/** Paths to every member of a value, and to each of its members. */
function pathsOf(value: unknown): readonly (readonly string[])[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, member]) => [[key], ...pathsOf(member).map((path) => [key, ...path])])
}

function withMember(value: unknown, [key = '', ...rest]: readonly string[], member: unknown): unknown {
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) }
  copy[key] = rest.length === 0 ? member : withMember(copy[key], rest, member)
  return copy
}

test('a record with a member of a wrong type is refused, and the error names the member', () => {
  const paths = pathsOf(FULL)
  expect(paths.length).toBeGreaterThan(20)
  for (const path of paths) {
    const read = () => readDomainRecord(instance, withMember(FULL, path, { wrong: true }))
    const isObject = ['transfer', 'transfer.final', 'transfer.limits', 'fences.0'].includes(path.join('.'))
    expect(read).toThrow(isObject ? path.join('.') : `: ${path.join('.')} is wrong`)
  }
})

test('a missing, malformed or foreign record is refused', () => {
  for (const stored of [null, [], 'record', {}, { ...FULL, instance: randomUUID() }]) {
    expect(() => readDomainRecord(instance, stored)).toThrow('is not as Berth wrote it')
  }
})
