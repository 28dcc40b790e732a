import { cx } from './cx'

/** A line that is still awaited. */
export const Bone = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={cx('block h-2.5 rounded-sm bg-line/70', className)} />
)
