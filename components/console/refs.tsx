import type { MoveRef } from '@/server/api/claim/view'
import type { Ref } from '@/server/api/names/names'
import { operationWords, stepLooks } from '../step/words'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { TextLink } from '../ui/Link'
import { uiWords } from '../ui/words'
import { paths } from './paths'

// Names of things as links to them, the same everywhere.

interface HostLinkProps {
  readonly host: Ref | null
  readonly none?: string
  /** From how something was to how the host was then (ms). */
  readonly at?: number
}

export const HostLink = ({ host, none = '–', at }: HostLinkProps) =>
  host ? (
    <TextLink href={paths.host(host.id, { at: at === undefined ? undefined : new Date(at).toISOString() })}>
      {host.name}
    </TextLink>
  ) : (
    <span className="text-faint">{none}</span>
  )

export const InstanceLink = ({ instance }: { instance: Ref }) => (
  <TextLink href={paths.instance(instance.id)}>{instance.name}</TextLink>
)

/** What the link says, for a file. */
export const moveText = (move: MoveRef | null): string | null =>
  move && uiWords.both(operationWords[move.operation].noun, stepLooks[move.step].label)

/** A move in one cell: what it is and how far. */
export function MoveLink({ move }: { move: MoveRef | null }) {
  if (!move) return dash
  return (
    <span className="flex items-center gap-2">
      <TextLink href={paths.migration(move.id)}>{operationWords[move.operation].noun}</TextLink>
      <StateBadge look={stepLooks[move.step]} className="text-xs" />
    </span>
  )
}

/** For table cells: the first part of an id suffices to distinguish it. */
export const shortId = (id: string) => id.slice(0, 8)
