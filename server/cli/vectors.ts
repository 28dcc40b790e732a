import fs from 'node:fs'
import { type KindResult, replayFolder } from '../vectors/replay'
import { printedHelp, wrongCall } from './usage'

// npm run vectors -- DIR: compares the engine with recorded verdicts of Nova and Placement. Exit code 1: some
// differ. 2: wrong arguments.

const USAGE = 'usage: npm run vectors -- DIR'
const SHOWN_FAILURES = 5

async function main(): Promise<number> {
  const args = process.argv.slice(2)
  if (printedHelp(args, USAGE)) return 0
  const [folder, ...rest] = args
  if (folder === undefined || rest.length > 0) return wrongCall('Name one folder', USAGE)
  if (!fs.existsSync(folder)) return wrongCall(`There is no folder ${folder}`, USAGE)
  const byKind = mergeByKind(await replayFolder(folder))
  if (byKind.length === 0) {
    console.error(`no vectors in ${folder}`)
    return 1
  }
  printTable(byKind)
  for (const { kind, failures } of byKind) {
    for (const { id, reason } of failures.slice(0, SHOWN_FAILURES)) console.log(`${kind}  ${id}: ${reason}`)
    const hidden = failures.length - SHOWN_FAILURES
    if (hidden > 0) console.log(`${kind}  and ${hidden} more`)
  }
  return byKind.some(({ failures }) => failures.length > 0) ? 1 : 0
}

function mergeByKind(results: readonly KindResult[]): readonly KindResult[] {
  const merged = new Map<string, KindResult>()
  for (const result of results) {
    const before = merged.get(result.kind)
    merged.set(result.kind, before === undefined ? result : sum(before, result))
  }
  return [...merged.values()]
}

function sum(a: KindResult, b: KindResult): KindResult {
  return {
    ...a,
    passed: a.passed + b.passed,
    failures: [...a.failures, ...b.failures],
    elapsedMs: a.elapsedMs + b.elapsedMs,
  }
}

function printTable(results: readonly KindResult[]): void {
  const header = ['kind', 'passed', 'failed', 'ms']
  const rows = results.map(({ kind, passed, failures, elapsedMs }) =>
    [kind, passed, failures.length, Math.round(elapsedMs)].map(String),
  )
  const total = results.reduce(sum)
  rows.push(['total', total.passed, total.failures.length, Math.round(total.elapsedMs)].map(String))
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  for (const row of [header, ...rows]) {
    const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
    console.log(cells.join('  '))
  }
}

process.exitCode = await main()
