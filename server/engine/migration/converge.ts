import type { Migration } from './state'

/**
 * Pre-copy whose guest dirties memory at least as fast as the link copies it: more rounds do not end it. While a
 * migration waits, its last progress says nothing about the present.
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
