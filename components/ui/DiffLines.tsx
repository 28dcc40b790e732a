import type { ReactNode } from 'react'
import { cx } from './cx'
import { Glyph } from './Glyph'
import { type Tone, toneText, toneWash } from './tone'
import { uiWords } from './words'

// Removed, added and changed lines, each with its reason. Written for reading before a click.

export type DiffSign = '-' | '+' | '~'

export interface DiffLine {
  readonly key: string
  readonly sign: DiffSign
  /** The subject: `PCPU of h-07 for web-1`. */
  readonly what: ReactNode
  readonly before?: string | null
  readonly after?: string | null
  readonly reason?: string | null
  /** It has changed since it was last shown. */
  readonly marked?: boolean
}

const tones: Readonly<Record<DiffSign, Tone>> = { '-': 'bad', '+': 'ok', '~': 'warn' }
/** The signs in typographic form; a screen reader gets the word. */
const shown: Readonly<Record<DiffSign, string>> = { '-': '−', '+': '+', '~': '~' }

export function DiffLines({ label, lines }: { label: string; lines: readonly DiffLine[] }) {
  return (
    <ul aria-label={label} className="m-0 list-none overflow-hidden rounded-md border border-line p-0 text-sm">
      {lines.map((line) => (
        <Line key={line.key} line={line} />
      ))}
    </ul>
  )
}

function Line({ line }: { line: DiffLine }) {
  const tone = tones[line.sign]
  return (
    <li
      className={cx(
        'grid min-h-7 grid-cols-[1.25rem_minmax(0,1fr)_minmax(0,1fr)] items-baseline gap-x-2 border-b border-line/60 px-2 py-1 last:border-0 max-md:grid-cols-[1.25rem_minmax(0,1fr)]',
        toneWash[tone],
        line.marked && 'shadow-[inset_3px_0_0_var(--twice)]',
      )}
    >
      <span className={cx('text-center font-mono font-semibold', toneText[tone])}>
        <span aria-hidden="true">{shown[line.sign]}</span>
        <span className="sr-only">{uiWords.diff[line.sign]}</span>
      </span>
      <span className="min-w-0 font-mono text-xs break-words text-ink">
        {line.what}
        <Values before={line.before ?? null} after={line.after ?? null} />
      </span>
      <span className="min-w-0 text-xs text-soft max-md:col-start-2">
        {line.marked ? (
          <span className="mr-1.5 inline-flex items-center gap-1 font-medium text-twice">
            <Glyph shape="diamond" />
            {uiWords.diff.marked}
          </span>
        ) : null}
        {line.reason}
      </span>
    </li>
  )
}

function Values({ before, after }: { before: string | null; after: string | null }) {
  if (before === null && after === null) return null
  return (
    <span className="whitespace-nowrap">
      {': '}
      {before === null ? null : <del className={after === null ? 'no-underline' : undefined}>{before}</del>}
      {before !== null && after !== null ? <Glyph shape="arrow" className="mx-1.5 inline text-faint" /> : null}
      {after === null ? null : <ins className="no-underline">{after}</ins>}
    </span>
  )
}
