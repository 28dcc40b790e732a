import { z } from 'zod'
import { wholeNumber } from '../procedure/inputs'

// What a new token may be, for the console, REST and the command line alike.

const DAYS_MAX = 3_650
const LONGEST_NAME = 1_000

export const tokenName = z
  .string({ error: 'expected a name' })
  .regex(/^[a-z0-9][a-z0-9_.-]{1,59}$/, 'expected 2 to 60 lower-case letters, digits, dots, dashes and underscores')
/** Older versions of the command line accepted any name, and every token must be revocable. */
export const existingTokenName = z.string({ error: 'expected a name' }).min(1).max(LONGEST_NAME)
export const tokenProject = z
  .string({ error: 'expected a project' })
  .max(255, 'expected a project of at most 255 characters')
/** As entered at sign-in, where capital letters are accepted. */
export const tokenAccount = z
  .string({ error: 'expected a username' })
  .min(1, 'expected a username')
  .max(255, 'expected a username')
  .toLowerCase()
export const tokenDays = wholeNumber('days until it expires', 1, DAYS_MAX)
