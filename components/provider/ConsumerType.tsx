import type { ConsumerSwap } from '@/server/api/provider/router'
import { Tag } from '../ui/Badge'
import { providerWords as words } from './words'

interface ConsumerTypeProps {
  readonly type: string | null
  readonly swap?: ConsumerSwap | null
}

/** The type its client reported; otherwise the role from the request that swapped the two halves of a migration. */
const typeOf = ({ type, swap }: ConsumerTypeProps): string | null => type ?? swap?.role.toUpperCase() ?? null

export function consumerTypeText(typed: ConsumerTypeProps): string {
  const type = typeOf(typed)
  return type === null ? words.typeUnknown : (words.types[type] ?? type)
}

/** `instance f00dcafe`: the other half of its migration. */
export const swapText = ({ role, other }: ConsumerSwap): string => words.swappedWith[role](other.slice(0, 8))

/** The consumer type that its Placement API client reported, or that the pair implies. */
export function ConsumerType(typed: ConsumerTypeProps) {
  const type = typeOf(typed)
  if (type === null) return <span className="text-xs text-faint italic">{consumerTypeText(typed)}</span>
  const more = typed.swap ? swapText(typed.swap) : undefined
  return (
    <span title={more}>
      <Tag tone={type === 'MIGRATION' ? 'twice' : 'idle'}>{consumerTypeText(typed)}</Tag>
    </span>
  )
}
