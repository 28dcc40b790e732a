import { type CorruptedReport, runCorrupted } from './run'

// Totals of many runs with one corrupted row each.

export interface CorruptedTally {
  readonly runs: number
  /** Corrupted rows by table. */
  readonly tables: Readonly<Record<string, number>>
  readonly named: number
  /** No finding before or after: everything settled as recorded. */
  readonly harmless: number
  readonly parked: number
  readonly broken: readonly CorruptedReport[]
}

export interface CorruptMany {
  readonly from: number
  readonly count: number
  readonly trace?: ((line: string) => void) | undefined
}

export async function corruptMany({ from, count, trace }: CorruptMany): Promise<CorruptedTally> {
  const tables: Record<string, number> = {}
  const broken: CorruptedReport[] = []
  let [named, harmless, parked] = [0, 0, 0]
  for (let seed = from; seed < from + count; seed++) {
    const report = await runCorrupted(seed, trace ? { trace } : {})
    if (report.table === null) continue
    tables[report.table] = (tables[report.table] ?? 0) + 1
    if (report.found.length + report.left.length > 0) named += 1
    else harmless += 1
    if (report.parked > 0) parked += 1
    if (report.broken !== null) broken.push(report)
  }
  return { runs: count, tables, named, harmless, parked, broken }
}
