import type { HolderRef } from '@/server/api/names/names'
import type { RefusalView } from '@/server/api/refusal/view'
import { paths } from '../console/paths'
import { Glyph } from '../ui/Glyph'
import { TextLink } from '../ui/Link'
import { amountsText, placeText, refusalTitles, refusalWords } from './words'

const holderHref = (holder: HolderRef) =>
  holder.kind === 'instance' ? paths.instance(holder.id) : paths.migration(holder.id)

/** All reasons for a refusal: rule, location, need, free, shortfall, and who holds the rest. */
export function RefusalList({ refusals, tone = 'bad' }: { refusals: readonly RefusalView[]; tone?: 'bad' | 'warn' }) {
  return (
    <ul className="m-0 flex list-none flex-col gap-1 p-0 text-sm">
      {refusals.map((refusal) => (
        <li key={JSON.stringify([refusal.kind, refusal.where, refusal.need])} className="flex items-baseline gap-2">
          <Glyph shape={tone === 'bad' ? 'cross' : 'triangle'} className={tone === 'bad' ? 'text-bad' : 'text-warn'} />
          <RefusalLine refusal={refusal} />
        </li>
      ))}
    </ul>
  )
}

function RefusalLine({ refusal }: { refusal: RefusalView }) {
  const where = placeText(refusal.where)
  return (
    <span className="min-w-0">
      <span className="font-medium">{refusalTitles[refusal.kind]}</span>
      {where ? <span className="text-soft"> · {where}</span> : null}
      <span className="text-soft"> · {amountsText(refusal)}</span>
      {refusal.heldBy.length > 0 ? (
        <span className="text-soft">
          {' · '}
          {refusalWords.heldBy}{' '}
          {refusal.heldBy.map((holder, index) => (
            <span key={holder.id}>
              {index > 0 ? ', ' : ''}
              <TextLink href={holderHref(holder)}>{holder.name}</TextLink>
            </span>
          ))}
          {refusal.heldByMore > 0 ? ' ' : null}
          {refusal.heldByMore > 0 ? refusalWords.more(refusal.heldByMore) : null}
        </span>
      ) : null}
    </span>
  )
}
