'use client'
import { useMemo } from 'react'
import type { MigrationDetail } from '@/server/api/migration/detail'
import { Button } from '../../ui/Button'
import { Copyable } from '../../ui/Copyable'
import { saveText } from '../../ui/save-text'
import { tabWords } from './words'

const words = tabWords.raw

/** The API's raw response for the migration, for scripts and tickets. */
export function RawTab({ migration }: { migration: MigrationDetail }) {
  const text = useMemo(() => JSON.stringify(migration, null, 2), [migration])
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-4 text-xs text-soft">
        <Copyable text={text} short={words.copy} label={words.title} />
        <Button onPress={() => saveText(words.file(migration.id), text)}>{words.save}</Button>
        <span>{words.from}</span>
      </div>
      <section
        aria-label={words.title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        className="max-h-[65vh] overflow-auto rounded-md border border-line bg-surface p-3"
      >
        <pre className="m-0 whitespace-pre-wrap break-all font-mono text-xs">{text}</pre>
      </section>
    </div>
  )
}
