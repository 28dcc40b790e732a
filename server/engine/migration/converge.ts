import type { Migration } from './state'

/**
 * True when the guest dirties memory at least as fast as the link copies it, so that more pre-copy rounds do not end
 * the transfer. The last progress of a waiting migration does not count.
 */
export const isNotConverging = ({
  step,
  progress,
  waiting,
}: Pick<Migration, 'step' | 'progress' | 'waiting'>): boolean =>
  step === 'transfer' &&
  waiting === null &&
  progress !== null &&
  !progress.postCopy &&
  progress.bandwidthBytesPerS > 0 &&
  progress.dirtyBytesPerS >= progress.bandwidthBytesPerS
