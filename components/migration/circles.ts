import type { MigrationDetail } from '@/server/api/contract-moves'

/** The guest writes as fast as it is copied: without somebody who does something, the transfer has no end. */
export const goesInCircles = ({ step, outcome, progress }: MigrationDetail): boolean =>
  step === 'transfer' &&
  outcome === null &&
  progress !== null &&
  !progress.postCopy &&
  progress.bandwidthBytesPerS > 0 &&
  progress.dirtyBytesPerS >= progress.bandwidthBytesPerS
