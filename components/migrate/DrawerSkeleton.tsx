import { Skeleton } from '../ui/Skeleton'
import { ROW_HEIGHT } from '../ui/table/column'
import { migrateWords as words } from './words'

const ROWS = Array.from({ length: 12 }, (_, row) => row)

/** Placeholder in a drawer until its code has loaded: fields, summary, list of hosts. */
export function DrawerSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3">
      <span className="sr-only">{words.asking}</span>
      <div aria-hidden="true" className="flex flex-wrap gap-3">
        <Skeleton className="h-11 w-56" />
        <Skeleton className="h-11 w-72 max-sm:w-56" />
      </div>
      <p aria-hidden="true" className="m-0 min-h-12 text-sm text-soft">
        {words.asking}
      </p>
      <div aria-hidden="true" className="rounded-md border border-line bg-surface">
        {ROWS.map((row) => (
          <div
            key={row}
            className="flex items-center gap-6 border-b border-line/60 px-2"
            style={{ height: ROW_HEIGHT }}
          >
            <Skeleton className="w-1/6" />
            <Skeleton className="w-1/12" />
            <Skeleton className="w-1/3" />
          </div>
        ))}
      </div>
    </div>
  )
}
