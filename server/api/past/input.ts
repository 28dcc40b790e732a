import { z } from 'zod'

const LATEST = 8_640_000_000_000_000 // the latest time that a Date can hold

/** A time in ms since the epoch. */
export const pastTime = z
  .number({ error: 'expected a time in ms since 1970' })
  .int('expected a time in whole ms since 1970')
  .min(0, 'expected a time after 1970')
  .max(LATEST, 'expected a time within the range of dates')
