import type { UnitSpan } from '@/server/api/device/router'
import { useWords } from '../claim/words'
import { paths } from '../console/paths'
import { operationWords } from '../step/words'
import { TextLink } from '../ui/Link'
import { PanelPart } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { HolderLink } from './HolderLink'
import { deviceWords as words } from './words'

interface UnitHistoryProps {
  readonly history: readonly UnitSpan[]
  readonly knownSince: number
  /** Shows this many, newest first; all if omitted. */
  readonly most?: number
}

/** Past and present holders of a CPU or device, with times and the migrations that brought and took them. */
export function UnitHistory({ history, knownSince, most = history.length }: UnitHistoryProps) {
  const older = history.length - most
  return (
    <PanelPart title={words.history}>
      {history.length === 0 ? <p className="m-0 text-soft">{words.noHistory}</p> : null}
      <ol className="m-0 flex list-none flex-col gap-1 p-0">
        {history.slice(0, most).map((span) => (
          <Span key={`${span.holder.id} ${span.from}`} span={span} />
        ))}
      </ol>
      <p className="m-0 pt-1 text-xs text-faint">
        {older > 0 ? words.older(older) : null} {words.knownSince(knownSince)}
      </p>
    </PanelPart>
  )
}

function Span({ span }: { span: UnitSpan }) {
  return (
    <li className="flex flex-col rounded-md bg-sunken px-2 py-1">
      <span className="flex items-center justify-between gap-2">
        <HolderLink holder={span.holder} />
        <span className="text-xs text-soft">{useWords[span.use]}</span>
      </span>
      <span className="text-xs text-soft">
        <RelativeTime at={span.from} /> – {span.to === null ? words.still : <RelativeTime at={span.to} />}
      </span>
      <HolderChange label={words.cameBy} migration={span.cameBy} />
      <HolderChange label={words.wentBy} migration={span.wentBy} />
    </li>
  )
}

function HolderChange({ label, migration }: { label: string; migration: UnitSpan['cameBy'] }) {
  if (migration === null) return null
  return (
    <span className="text-xs text-soft">
      {label} <TextLink href={paths.migration(migration.id)}>{operationWords[migration.operation].noun}</TextLink>
    </span>
  )
}
