import { cx } from './cx'

/** A placeholder line. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={cx('block h-2.5 rounded-sm bg-line/70', className)} />
)
