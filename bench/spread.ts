/** Summary of times in ms, for display. */
export function spreadText(values: readonly number[]): string {
  const sorted = Float64Array.from(values).sort()
  const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(0)
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}
