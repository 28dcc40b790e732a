import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replayConstraints, replayCpuList } from './constraints'
import { replayFit } from './fits'
import { replayLifecycle, replayPci } from './pcis'
import { replayScenario } from './scenarios'
import { replayUsage } from './usages'
import { inOurUnits, type VectorCase, type VectorFile, type Verdict } from './vector-file'

// Replays a folder of recorded vectors against the engine. A file is identified by its `kind`, not by its name.

export type Replayer = (vector: VectorCase) => Verdict | Promise<Verdict>

/** Every kind of vector. A file of another kind is an error, because it would silently not be replayed. */
const REPLAYERS: Readonly<Record<string, Replayer>> = {
  'numa-constraints': replayConstraints,
  'cpu-list': replayCpuList,
  'numa-fit': replayFit,
  'numa-fit-quirks': replayFit,
  'pci-requests': replayPci,
  'pci-requests-quirks': replayPci,
  'pci-device-lifecycle': replayLifecycle,
  'numa-usage': replayUsage,
  'move-scenario': replayScenario,
}

export interface KindResult {
  readonly kind: string
  readonly file: string
  readonly passed: number
  readonly failures: readonly { readonly id: string; readonly reason: string }[]
  readonly elapsedMs: number
}

export const SCENARIOS = 'scenarios'

/** Replays every JSON file of the folder and of its `scenarios`, in the order of their names. */
export async function replayFolder(folder: string): Promise<readonly KindResult[]> {
  const results: KindResult[] = []
  for (const file of vectorFiles(folder)) results.push(await replayFile(folder, file))
  return results
}

/** Paths in the folder: its own files first, then those in `scenarios`. */
export function vectorFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const jsonIn = (names: readonly string[]) => names.filter((name) => name.endsWith('.json')).sort()
  const own = jsonIn(entries.filter((entry) => entry.isFile()).map((entry) => entry.name))
  const hasScenarios = entries.some((entry) => entry.isDirectory() && entry.name === SCENARIOS)
  const scenarios = hasScenarios ? jsonIn(readdirSync(join(folder, SCENARIOS))) : []
  return [...own, ...scenarios.map((name) => join(SCENARIOS, name))]
}

export async function replayFile(folder: string, file: string): Promise<KindResult> {
  const begun = performance.now()
  const content = JSON.parse(readFileSync(join(folder, file), 'utf8')) as VectorFile | (VectorCase & { kind: string })
  const { kind } = content
  // A scenario file is a single case, and its replayer parses it.
  const cases = 'cases' in content ? (inOurUnits(content.cases) as readonly VectorCase[]) : [{ ...content, id: file }]
  const replayer = Object.hasOwn(REPLAYERS, kind) ? REPLAYERS[kind] : undefined
  const failures: { id: string; reason: string }[] = []
  if (replayer === undefined) {
    failures.push({ id: file, reason: `nobody replays vectors of kind ${JSON.stringify(kind)}` })
    return { kind: String(kind), file, passed: 0, failures, elapsedMs: performance.now() - begun }
  }
  for (const vector of cases) {
    const reason = await verdictOf(replayer, vector)
    if (reason !== null) failures.push({ id: vector.id, reason })
  }
  return { kind, file, passed: cases.length - failures.length, failures, elapsedMs: performance.now() - begun }
}

// A crash is a failed case with its message, so that the other cases still run.
async function verdictOf(replayer: Replayer, vector: VectorCase): Promise<Verdict> {
  try {
    return await replayer(vector)
  } catch (error) {
    return `crashed: ${error instanceof Error ? error.message : String(error)}`
  }
}
