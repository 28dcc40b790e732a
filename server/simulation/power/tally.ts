import type { PowerReport } from './run'

// Totals of many runs.

export interface PowerTally {
  readonly seeds: number
  readonly sums: Readonly<Record<string, number>>
  readonly broken: readonly { readonly seed: number; readonly law: string; readonly what: string }[]
}

export const NO_POWER_RUNS: PowerTally = { seeds: 0, sums: {}, broken: [] }

export const powerTally = ({ seed, broken, ...counts }: PowerReport): PowerTally => ({
  seeds: 1,
  sums: { ...counts },
  broken: broken === null ? [] : [{ seed, ...broken }],
})

export const addPowerTallies = (a: PowerTally, b: PowerTally): PowerTally => ({
  seeds: a.seeds + b.seeds,
  sums: Object.fromEntries(
    [...new Set([...Object.keys(a.sums), ...Object.keys(b.sums)])].map((key) => [
      key,
      (a.sums[key] ?? 0) + (b.sums[key] ?? 0),
    ]),
  ),
  broken: [...a.broken, ...b.broken],
})

const WORDS: readonly (readonly [string, string])[] = [
  ['migrations', 'migrations started'],
  ['resizes', '  of these, resizes'],
  ['evacuations', '  of these, evacuations'],
  ['powerCycles', 'hosts that lost power'],
  ['fences', '  of these, fenced and evacuated'],
  ['kills', 'servers killed'],
  ['requests', 'power requests'],
  ['surveys', 'surveys checked'],
  ['off', 'instances found off, summed over surveys'],
  ['button', 'restarted by one action per host'],
  ['single', 'started or resumed individually'],
]

export function powerLines(tally: PowerTally, elapsedMs: number): readonly string[] {
  return [
    `seeds ${tally.seeds} in ${Math.round(elapsedMs / 1000)} s`,
    ...WORDS.map(([key, text]) => `  ${text.padEnd(40)}${String(tally.sums[key] ?? 0).padStart(10)}`),
    `broken laws ${tally.broken.length}`,
    ...tally.broken.slice(0, 20).map(({ seed, law, what }) => `  seed ${seed}: ${law}: ${what}`),
  ]
}
