import type { Migration } from './state'

/**
 * Pre-copy whose guest dirties memory at least as fast as the link copies it: more rounds bring no end. Of a migration
 * that waits the last progress says nothing about now.
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
