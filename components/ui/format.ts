// Numbers for reading. Everything a claim holds is a whole number; only rates and sizes are shortened.

const integer = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

export const count = (value: number) => integer.format(value)
/** `2.1M`: for bars, where the exact number is in the tip. */
export const shortCount = (value: number) => (value < 100_000 ? integer : compact).format(value)

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${integer.format(value)} ${value === 1 ? one : many}`
}

function scaled(value: number, step: number, units: readonly string[]): string {
  let left = value
  let at = 0
  while (left >= step && at < units.length - 1) {
    left /= step
    at += 1
  }
  return `${(left >= 100 ? integer : short).format(left)} ${units[at]}`
}

/** Binary, as in Berth's records: 1,024 MiB is 1 GiB. */
export const mib = (value: number) => scaled(value, 1024, ['MiB', 'GiB', 'TiB'])
export const gib = (value: number) => scaled(value, 1024, ['GiB', 'TiB', 'PiB'])
export const bytes = (value: number) => scaled(value, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB'])
export const rate = (bytesPerS: number) => `${bytes(bytesPerS)}/s`
export const pageSize = (kib: number) => scaled(kib, 1024, ['KiB', 'MiB', 'GiB'])

/** ` GiB` of `382 GiB`, including the space; empty for a bare count. */
const unitOf = (text: string) => text.slice(text.search(/\s|$/))

/** `264 GiB` beside `382 GiB` becomes 264: a column of figures has no space for the unit twice. */
export function withoutUnitOf(total: string, used: string): string {
  const unit = unitOf(total)
  return unit && used.endsWith(unit) ? used.slice(0, -unit.length) : used
}

/** `4.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`: the two largest units at most. */
export function duration(ms: number): string {
  const s = Math.max(0, ms) / 1000
  if (s < 1) return `${Math.round(Math.max(0, ms))} ms`
  if (s < 60) return `${s < 10 ? short.format(s) : integer.format(Math.floor(s))} s`
  const minutes = Math.floor(s / 60)
  if (minutes < 60) return pair([minutes, 'min'], [Math.floor(s) % 60, 's'])
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return pair([hours, 'h'], [minutes % 60, 'min'])
  return pair([Math.floor(hours / 24), 'd'], [hours % 24, 'h'])
}

type Part = readonly [amount: number, unit: string]

const pair = ([large, largeUnit]: Part, [small, smallUnit]: Part) =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`

/** `2026-11-21 01:06:56` in UTC, the common zone for comparing the fleet's clocks. */
export const utc = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
export const utcClock = (ms: number) => new Date(ms).toISOString().slice(11, 19)

/** `17:49:41.2`: a clock time, if several fall within a second. */
export const withTenths = (clock: string, ms: number) => `${clock}.${Math.floor((ms % 1000) / 100)}`

/** Ranges in the notation of CPU lists: `0-3,8,10-11`. */
export function ranges(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b)
  const runs: [number, number][] = []
  for (const n of sorted) {
    const run = runs.at(-1)
    if (run && n === run[1] + 1) run[1] = n
    else runs.push([n, n])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
