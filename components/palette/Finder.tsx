'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import type { Permit } from '@/server/api/permit/rights'
import { useTRPC } from '../console/trpc'
import { useClockZone } from '../ui/time/zone'
import { uiWords } from '../ui/words'
import { type Entry, groupsOf, type PaletteAction, readRequest } from './entries'
import { Results, resultId } from './Results'
import { paletteWords as words } from './words'

const UNKNOWN: Permit = { ok: false, why: uiWords.loading }

/** The palette's field and results. The field keeps the focus; arrows walk the entries. */
export function Finder({ onAction }: { onAction: (action: PaletteAction) => void }) {
  const { text, setText, groups, entries, active, setActive, silent, failed } = useFinder()
  const listId = useId()
  const choose = (entry: Entry | undefined) => entry && entry.disabledReason === null && onAction(entry.action)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      setActive((active + step + entries.length) % entries.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(entries[active])
    }
  }
  return (
    <div className="flex min-h-0 flex-col">
      <input
        // The dialog opens for typing.
        // biome-ignore lint/a11y/noAutofocus: a dialog gives the focus to its field
        autoFocus
        role="combobox"
        aria-label={words.title}
        aria-expanded={entries.length > 0}
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={entries[active] ? resultId(listId, active) : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={words.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-11 w-full border-b border-line bg-transparent px-4 text-base text-ink outline-none placeholder:text-faint"
      />
      <Results id={listId} groups={groups} active={active} busy={silent} onPick={choose} />
      <p role="status" className="sr-only">
        {silent ? '' : words.count(entries.length)}
      </p>
      {entries.length === 0 && !silent ? (
        <div className="px-4 pb-4 text-sm">
          <p className="m-0">{words.none(text)}</p>
          <p className="m-0 text-soft">{words.noneMore}</p>
        </div>
      ) : null}
      {failed ? <p className="m-0 px-4 pb-3 text-sm text-warn">{words.failed}</p> : null}
      <p className="m-0 border-t border-line px-4 py-1.5 text-xs text-faint">{words.hint}</p>
    </div>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function useFinder() {
  const trpc = useTRPC()
  const { zone } = useClockZone()
  const [state, setState] = useState<{ text: string; chosen: string | null }>({ text: '', chosen: null })
  const { text } = state
  const { sought } = readRequest(text)
  const session = useQuery(trpc.session.me.queryOptions())
  const found = useQuery(
    trpc.search.find.queryOptions({ q: sought }, { enabled: sought !== '', placeholderData: keepPreviousData }),
  )
  const build = session.data?.permitted.build ?? UNKNOWN
  const answer = sought === '' ? undefined : found.data
  const addHost = session.data?.permitted.addHost ?? UNKNOWN
  const groups = useMemo(
    () => groupsOf({ text, answer, build, addHost, clock: zone }),
    [text, answer, build, addHost, zone],
  )
  const entries = groups.flatMap((group) => group.entries)
  return {
    ...{ text, groups, entries },
    // By identity, not by position: a late response must not put another entry under Enter.
    active: Math.max(
      0,
      entries.findIndex(({ id }) => id === state.chosen),
    ),
    setText: (next: string) => setState({ text: next, chosen: null }),
    setActive: (active: number) => setState({ text, chosen: entries[active]?.id ?? null }),
    /** Silent until the results have arrived: "nothing found" would be a guess. */
    silent: sought !== '' && (found.isPending || found.isPlaceholderData) && !found.isError,
    failed: sought !== '' && found.isError,
  }
}
