import { z } from 'zod'

/** An object where an unknown key is an error that names it, instead of being silently ignored. */
export const strictObject = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `unknown field ${issue.keys?.join(', ').slice(0, 80)}`
        : 'expected an object',
  })
