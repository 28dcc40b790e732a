import type { StepTimesView } from '@/server/api/migration/pace'
import { tabWords } from '../migration/tab/words'
import { duration } from '../ui/format'
import { stepBadges } from './words'

const words = tabWords.stepTimes

const WIDTH = 240
const HEIGHT = 56
/** Minimum height: a bucket whose samples all took the same time would otherwise vanish. */
const LEAST = 2

/** Fewer times have no p95: it would be one of them. */
const P95_SAMPLES = 5
export const p95Of = ({ samples, p95Ms }: StepTimesView): number | null => (samples < P95_SAMPLES ? null : p95Ms)

/** One small chart: median to p95 by bucket. All charts of one operation share a time axis. */
export function StepMultiple({ row, range }: { row: StepTimesView; range: { from: number; to: number } }) {
  const { label } = stepBadges[row.step]
  const p95Ms = p95Of(row)
  const p95 = p95Ms === null ? null : duration(p95Ms)
  const top = Math.max(...row.buckets.map(({ p95Ms }) => p95Ms), 1)
  const x = (at: number) => (WIDTH * (at - range.from)) / Math.max(range.to - range.from, 1)
  const y = (ms: number) => HEIGHT - (HEIGHT * ms) / top
  return (
    <figure className="m-0 flex min-w-0 flex-col gap-1 rounded-md border border-line p-2">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-2 text-xs">
        <span className="font-medium">{label}</span>
        <span className="text-faint">{words.of(row.samples)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.says(label, { p50: duration(row.p50Ms), p95, n: row.samples })}
        className="h-12 w-full rounded-sm bg-sunken"
      >
        {row.buckets.map((bucket) => {
          const left = x(bucket.from) + 1
          const width = Math.max(x(bucket.to) - x(bucket.from) - 2, 1)
          return (
            <g key={bucket.from}>
              <title>{words.bucket(duration(bucket.p50Ms), duration(bucket.p95Ms), bucket.samples)}</title>
              <rect
                x={left}
                width={width}
                y={y(bucket.p95Ms)}
                height={Math.max(y(bucket.p50Ms) - y(bucket.p95Ms), LEAST)}
                className="fill-flow opacity-35"
              />
              <rect
                x={left}
                width={width}
                y={Math.min(y(bucket.p50Ms), HEIGHT - LEAST)}
                height={LEAST}
                className="fill-flow"
              />
            </g>
          )
        })}
      </svg>
      <span className="flex flex-wrap justify-between gap-x-2 text-xs whitespace-nowrap text-soft">
        <span>{words.median(duration(row.p50Ms))}</span>
        <span>{words.high(p95)}</span>
      </span>
    </figure>
  )
}
