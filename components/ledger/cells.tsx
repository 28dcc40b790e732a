import type { LedgerRow } from '@/server/api/contract-look'
import { amountText } from '../claim/words'
import { paths } from '../console/paths'
import { kindText } from '../event/words'
import { kindWords } from '../finding/words'
import { Tag } from '../ui/Badge'
import { TextLink } from '../ui/Link'
import { ledgerWords } from './words'

export const amountsOf = ({ amounts }: LedgerRow) =>
  amounts.map(({ resourceClass, amount }) => `${resourceClass} ${amountText(resourceClass, amount)}`).join(', ')
export const wroteOf = ({ wrote }: LedgerRow) => (wrote ? `${wrote.who}: ${kindText(wrote.kind)}` : '')
export const marksOf = ({ claim, findings }: LedgerRow) => [
  ...(claim === null ? [ledgerWords.noClaim] : []),
  ...new Set(findings.map(({ kind }) => kindWords[kind])),
]

export function Consumer({ row: { consumer } }: { row: LedgerRow }) {
  const { kind, id, name } = consumer
  if (kind === 'other') return <span className="font-mono text-xs">{name}</span>
  return (
    <span className="flex items-center gap-1.5">
      <TextLink href={kind === 'instance' ? paths.instance(id) : paths.migration(id)}>{name}</TextLink>
      {kind === 'migration' ? <Tag tone="twice">{ledgerWords.kinds.migration}</Tag> : null}
    </span>
  )
}

export function Marks({ row }: { row: LedgerRow }) {
  const marks = marksOf(row)
  const [finding] = row.findings
  if (marks.length === 0) return <span className="text-faint">–</span>
  const text = marks.join(', ')
  return finding ? (
    <TextLink href={paths.heal({ finding: finding.id })}>{text}</TextLink>
  ) : (
    <span className="text-warn">{text}</span>
  )
}
