import { Tag } from '../ui/Badge'
import { providerWords as words } from './words'

/** What a client of the Placement API said its consumer is. */
export function ConsumerType({ type }: { type: string | null }) {
  if (type === null) return <span className="text-xs text-faint italic">{words.typeUnknown}</span>
  return <Tag tone={type === 'MIGRATION' ? 'twice' : 'idle'}>{words.types[type] ?? type}</Tag>
}
