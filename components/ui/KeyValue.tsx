import type { ReactNode } from 'react'
import { cx } from './cx'
import { uiWords } from './words'

export interface Fact {
  readonly key: string
  /** `undefined` is unknown and shown as such, with what it would take to know. */
  readonly value: ReactNode | undefined
  readonly needs?: string
}

export function KeyValue({ facts, columns = 1 }: { facts: readonly Fact[]; columns?: 1 | 2 | 3 }) {
  return (
    <dl
      className={cx(
        'grid gap-x-6 gap-y-1 text-sm',
        columns === 3 ? 'md:grid-cols-2 xl:grid-cols-3' : columns === 2 ? 'md:grid-cols-2' : 'grid-cols-1',
      )}
    >
      {facts.map((fact) => (
        <div key={fact.key} className="flex min-h-6 min-w-0 items-baseline gap-3">
          <dt className="w-32 shrink-0 text-xs text-soft max-[360px]:w-24">{fact.key}</dt>
          <dd className="m-0 min-w-0 flex-1 break-words">
            {fact.value === undefined ? <Unknown needs={fact.needs} /> : fact.value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** An unknown is stated, never left blank and never shown as zero. */
export function Unknown({ needs }: { needs?: string }) {
  return <span className="text-faint italic">{needs ? uiWords.unknownNeeds(needs) : uiWords.unknown}</span>
}
