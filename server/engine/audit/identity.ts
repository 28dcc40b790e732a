import type { Finding } from './finding'

/**
 * The same text as long as it is the same trouble: kind, subject and place, but not the numbers, which may change
 * while it lasts. Claims are left out too, because who holds a thing may give it back and take it again.
 */
export function fingerprintOf(finding: Finding): string {
  const { kind, host, instance, migration, consumers, where } = finding
  const place = Object.entries(where).sort(([a], [b]) => (a < b ? -1 : 1))
  const subject = [host, instance, migration, [...consumers].sort()]
  return `${kind} ${JSON.stringify([...subject, place])}`
}
