import { z } from 'zod'
import { FINDING_KINDS, type FindingKind } from '../../engine/audit/kinds'
import type { StoredFinding } from '../finding/list'
import { anything, claimBody, listOf, text, time } from './columns'
import { type Fits, fitsOf } from './fits'

// A stored finding. An unreadable one is shown as an unreadable record of this table, until the next audit that finds
// the same thing rewrites it.

const evidence = z.looseObject({ source: text, host: text.nullable(), says: text, at: time.nullable() })
export const finding = z.looseObject({
  ...{ kind: text, host: text.nullable(), instance: text.nullable(), migration: text.nullable() },
  ...{ consumers: listOf(text, 'consumers'), claims: listOf(text, 'claims') },
  ...{ where: z.record(text, anything), expected: text, found: text },
})
const body = z.looseObject({
  ...{ finding, evidence: listOf(evidence, 'evidence'), locked: text.nullable() },
  ...{ givesBack: listOf(claimBody, 'claims'), instead: text.nullable() },
})

const fitsBody: Fits = fitsOf(body)
const KNOWN: ReadonlySet<string> = new Set(FINDING_KINDS)
const KIND: FindingKind = 'unreadable-record'

/** With a body that says so in place of an unreadable one. */
export function findingOf<Body>(raw: StoredFinding<Body>): StoredFinding<Body> {
  const { host, instance, migration } = raw
  const known = KNOWN.has(raw.kind)
  if (known && fitsBody(raw.body)) return sound(raw)
  const about = { host, instance, migration, consumers: [], claims: [] }
  const standIn = {
    finding: {
      ...{ ...about, kind: KIND, expected: 'a finding as an audit writes it', found: 'something else' },
      where: { record: `finding id=${raw.id}`, column: known ? 'body' : 'kind' },
    },
    ...{ evidence: [], locked: null, givesBack: [], instead: 'Audit again: it writes what is still wrong again.' },
  }
  return sound({ ...raw, kind: KIND, body: standIn as Body })
}

// Invalid times become null.
const sound = <Body>(row: StoredFinding<Body>): StoredFinding<Body> => ({
  ...row,
  firstSeenAt: row.firstSeenAt ?? 0,
  lastSeenAt: row.lastSeenAt ?? 0,
})
