import { Problem } from './problem'

// Microversions. A client names one in `OpenStack-API-Version: placement 1.28`; without one it speaks 1.0.

export const MIN_VERSION = '1.0'
const MAX_MINOR = 39
export const MAX_VERSION = `1.${MAX_MINOR}`
export const VERSION_HEADER = 'openstack-api-version'

const SERVICE = 'placement'
const INTEGER = /^\s*[+-]?\d+\s*$/

/** As clients write it: the minor version of each header. */
const USUAL = new Map(Array.from({ length: MAX_MINOR + 1 }, (_, minor) => [`${SERVICE} 1.${minor}`, minor]))

/** The requested minor version. Throws 400 if malformed and 406 if not supported. */
export function minorOf(header: string | null): number {
  return USUAL.get(header ?? '') ?? parsedMinorOf(header)
}

function parsedMinorOf(header: string | null): number {
  const requested = parseVersionHeader(header) ?? MIN_VERSION
  const text = requested === 'latest' ? MAX_VERSION : requested
  const dot = text.indexOf('.')
  const parts = dot < 0 ? [text] : [text.slice(0, dot), text.slice(dot + 1)]
  const bad = parts.find((part) => !INTEGER.test(part))
  if (bad !== undefined) {
    const why = `invalid literal for int() with base 10: '${bad}'`
    throw new Problem(400, `Invalid microversion: invalid version string: ${text}; ${why}`)
  }
  if (parts.length === 1) {
    const why = "Version.__new__() missing 1 required positional argument: 'minor'"
    throw new Problem(400, `Invalid microversion: invalid version string: ${text}; ${why}`)
  }
  const [major, minor] = parts.map(Number)
  if (major === 1 && minor !== undefined && minor >= 0 && minor <= MAX_MINOR) return minor
  throw new Problem(406, `Invalid microversion: Unacceptable version header: ${text}`)
}

/** The header may name several services; the last entry for this one counts. */
function parseVersionHeader(header: string | null): string | null {
  for (const part of (header ?? '').split(',').reverse()) {
    const [service, version] = part.trim().split(/\s+(.*)/s)
    if (service?.toLowerCase() === SERVICE && version) return version.trim()
  }
  return null
}
