import type { ReactNode } from 'react'

interface FitLinesProps {
  /** How many more fit, and on how many hosts. */
  readonly fits: ReactNode
  /** How large a single one may be. */
  readonly largest: ReactNode
}

/** The map of free capacity in two lines. */
export const FitLines = ({ fits, largest }: FitLinesProps) => (
  <div role="status" className="flex flex-col gap-y-1 text-sm">
    <p className="m-0">{fits}</p>
    <p className="m-0 flex flex-wrap gap-x-5 gap-y-1">{largest}</p>
  </div>
)
