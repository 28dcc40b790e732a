import type { HolderRef } from '@/server/api/names/names'
import { paths } from '../console/paths'
import { TextLink } from '../ui/Link'

export function HolderLink({ holder }: { holder: HolderRef | null }) {
  if (!holder) return <span className="text-faint">–</span>
  const href = holder.kind === 'instance' ? paths.instance(holder.id) : paths.migration(holder.id)
  return <TextLink href={href}>{holder.name}</TextLink>
}
