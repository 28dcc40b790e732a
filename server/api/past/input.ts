import { z } from 'zod'

const LATEST = 8_640_000_000_000_000 // the last moment that a date can name

/** A moment in ms since the epoch. */
export const moment = z
  .number({ error: 'expected a moment, in ms since 1970' })
  .int('expected a moment, in whole ms since 1970')
  .min(0, 'expected a moment after 1970')
  .max(LATEST, 'expected a moment that a date can name')
