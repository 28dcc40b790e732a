import type { Migration } from './state'

/** Pre-copy whose guest writes at least as fast as it is copied: more rounds of it bring no end. */
export const goesInCircles = ({ step, progress }: Pick<Migration, 'step' | 'progress'>): boolean =>
  step === 'transfer' &&
  progress !== null &&
  !progress.postCopy &&
  progress.bandwidthBytesPerS > 0 &&
  progress.dirtyBytesPerS >= progress.bandwidthBytesPerS
