import type { Finding } from './finding'

/**
 * The same text for as long as the same problem lasts: kind, subject and place, but not the amounts, which may change
 * meanwhile. Claims are left out too, because a holder may release a resource and claim it again.
 */
export function fingerprintOf(finding: Finding): string {
  const { kind, host, instance, migration, consumers, where } = finding
  const place = Object.entries(where).sort(([a], [b]) => (a < b ? -1 : 1))
  const subject = [host, instance, migration, [...consumers].sort()]
  return `${kind} ${JSON.stringify([...subject, place])}`
}
