import { Download, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { IconButton } from '../Button'
import { Menu } from '../overlay/Menu'
import { showToast } from '../overlay/Toasts'
import { useNow } from '../time/Clock'
import { uiWords } from '../words'
import type { AllRows, Column } from './column'

const KINDS = ['csv', 'json'] as const

interface ExportProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly total: number | null
  readonly allRows?: AllRows<Row>
}

/** Exports all rows of the query, not only those scrolled to, with the visible columns. */
export function Export<Row>(props: ExportProps<Row>) {
  const { progress, start, stop } = useExport(props)
  if (progress) {
    return (
      <span className="flex items-center gap-1 text-xs text-soft" role="status">
        {uiWords.exporting(progress.done, progress.total)}
        <IconButton label={uiWords.exportStop} onPress={stop}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      </span>
    )
  }
  return (
    <Menu
      label={uiWords.exportRows}
      trigger={
        <IconButton label={uiWords.exportRows}>
          <Download size={14} aria-hidden="true" />
        </IconButton>
      }
      entries={KINDS.map((kind) => ({
        id: kind,
        label: uiWords.exportAs[kind],
        hint: uiWords.exportHint(props.total ?? props.rows.length),
        onAction: () => void start(kind),
      }))}
    />
  )
}

function useExport<Row>({ label, columns, rows, total, allRows }: ExportProps<Row>) {
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number } | null>(null)
  const now = useNow()
  const running = useRef<AbortController | null>(null)
  const start = async (kind: (typeof KINDS)[number]) => {
    const abort = new AbortController()
    running.current = abort
    if (allRows) setProgress({ done: 0, total: total ?? 0 })
    try {
      const onProgress = (done: number, of: number) => setProgress({ done, total: of })
      const all = allRows ? await allRows({ onProgress, signal: abort.signal }) : rows
      // Few users export, and everyone would wait for the code.
      const { download, WRITERS } = await import('./csv')
      if (!abort.signal.aborted) download(label, kind, WRITERS[kind](columns, { rows: all, now }))
    } catch {
      if (!abort.signal.aborted) showToast('bad', uiWords.exportFailed, { detail: uiWords.exportFailedMore })
    }
    if (running.current === abort) setProgress(null)
  }
  const stop = () => {
    running.current?.abort()
    running.current = null
    setProgress(null)
  }
  return { progress, start, stop }
}
