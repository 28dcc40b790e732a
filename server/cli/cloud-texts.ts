import type { ProbeReport, ProbeStep } from '../cloud/probe'
import type { CloudSnapshot, Part } from '../engine/cloud/snapshot'

// What `npm run cloud` prints.

/** Columns as wide as their widest cell; the last one is not padded. */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const MARKS: Readonly<Record<ProbeStep['state'], string>> = { ok: 'ok', failed: 'FAILED', skipped: '-' }

const RIGHTS: Readonly<Record<ProbeReport['rights'], string>> = {
  all: 'The account may read everything that an audit of this cloud needs.',
  some: 'The account may read only a part. Findings that need the rest are missing.',
  unknown: 'The rights of the account are unknown.',
}

export function probeLines({ steps, rights, unknown }: ProbeReport): readonly string[] {
  return [
    ...tableLines([
      ['STEP', 'RESULT', 'DETAILS'],
      ...steps.flatMap(({ name, state, says, fix }) => [
        [name, MARKS[state], says],
        ...(fix === null ? [] : [['', '', `→ ${fix}`]]),
      ]),
    ]),
    '',
    RIGHTS[rights],
    '',
    'Unknown to Berth:',
    ...unknown.map((what) => `  * ${what}`),
  ]
}

const SECOND_MS = 1_000

/** How the cloud's clock differs from this machine's; null within the precision of the Date header. */
export function clockLine(aheadMs: number): string | null {
  const seconds = Math.round(Math.abs(aheadMs) / SECOND_MS)
  const way = aheadMs > 0 ? 'ahead of' : 'behind'
  return seconds < 3
    ? null
    : `The clock of the cloud is ${seconds} s ${way} this machine's. Ages are measured by the cloud's clock.`
}

export function snapshotLines(snapshot: CloudSnapshot): readonly string[] {
  const { services, hypervisors, aggregates, zones, groups, flavors, servers, migrations, providers } = snapshot
  const parts = { hypervisors, services, aggregates, zones, groups, flavors, servers, migrations, providers }
  const rows = Object.entries(parts).map(([name, part]) => [name, ...partCells(part, snapshot.now)])
  const inventories = providers.isRead ? providers.value.map(({ allocations }) => allocations) : []
  const consumers = inventories.flatMap((part) => (part.isRead ? [...part.value.keys()] : []))
  return [
    ...tableLines([['PART', 'ROWS', 'AGE', 'DETAILS'], ...rows]),
    '',
    `${new Set(consumers).size} consumers have allocations from ${inventories.length} providers; ${snapshot.topologies.size} topologies read.`,
  ]
}

const partCells = (part: Part<readonly unknown[]>, now: number): readonly string[] =>
  part.isRead
    ? [
        String(part.value.length),
        `${Math.round((now - part.at) / SECOND_MS)} s`,
        part.complete ? '' : 'may be incomplete',
      ]
    : ['?', '?', part.why]

/** JSON with maps as objects. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (each instanceof Map ? Object.fromEntries(each) : each), 2)
