import { createParser, useQueryState, useQueryStates } from 'nuqs'
import { useCallback } from 'react'

// A preview without leaving the list: the address names it, `preview=host:…`, so a link opens it too.

const PREVIEW_NOUNS = ['host', 'instance', 'migration'] as const
export type PreviewNoun = (typeof PREVIEW_NOUNS)[number]

export interface PreviewTarget {
  readonly kind: PreviewNoun
  readonly id: string
}

const parser = createParser<PreviewTarget>({
  parse: (text) => {
    const [named, id] = text.split(':')
    const kind = PREVIEW_NOUNS.find((each) => each === named)
    return kind && id ? { kind, id } : null
  },
  serialize: ({ kind, id }) => `${kind}:${id}`,
  eq: (a, b) => a.kind === b.kind && a.id === b.id,
}).withOptions({ history: 'push' })

/** Prefix for the keys of a page's parts while the drawer shows them. */
export const PREVIEW_SCOPE = 'in-'
/** Keys of parts that a preview can show. */
const SCOPED = ['tab', 'q', 'sort', 'cols', 'view', 'unit', 'as', 'at', 'finding', 'step'] as const
const scoped = Object.fromEntries(
  SCOPED.map((key) => [PREVIEW_SCOPE + key, createParser({ parse: keep, serialize: keep })]),
)

const nothing = Object.fromEntries(Object.keys(scoped).map((key) => [key, null]))

function keep(text: string): string {
  return text
}

/** The previewed object, and a function that closes the preview with everything chosen in it. */
export function usePreviewed() {
  const [previewed] = useQueryState('preview', parser)
  const [, set] = useQueryStates({ preview: parser, ...scoped })
  const close = useCallback(() => void set(null), [set])
  return { previewed, close }
}

/** For list rows: opens a preview of the object with this id. */
export function useOpenPreview(kind: PreviewNoun) {
  const [, set] = useQueryStates({ preview: parser, ...scoped })
  // A selection in an earlier preview does not carry over to this one.
  return useCallback(
    (row: { readonly id: string }) => void set({ ...nothing, preview: { kind, id: row.id } }),
    [set, kind],
  )
}
