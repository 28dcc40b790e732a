import { Problem } from './problem'
import type { Call } from './wire'

/** Throws 415 unless the content type is JSON. */
export function mustBeJson(call: Call): void {
  const type = (call.header('content-type') ?? '').split(';')[0]?.trim() || 'None'
  if (type === 'application/json') return
  throw new Problem(415, `The media type ${type} is not supported, use application/json`)
}
