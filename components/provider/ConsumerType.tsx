import { Tag } from '../ui/Badge'
import { providerWords as words } from './words'

export const consumerTypeText = (type: string | null): string =>
  type === null ? words.typeUnknown : (words.types[type] ?? type)

/** What a client of the Placement API said its consumer is. */
export function ConsumerType({ type }: { type: string | null }) {
  if (type === null) return <span className="text-xs text-faint italic">{consumerTypeText(type)}</span>
  return <Tag tone={type === 'MIGRATION' ? 'twice' : 'idle'}>{consumerTypeText(type)}</Tag>
}
