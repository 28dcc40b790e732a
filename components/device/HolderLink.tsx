import type { HolderRef } from '@/server/api/names/names'
import { paths } from '../console/paths'
import { dash } from '../ui/dash'
import { TextLink } from '../ui/Link'

export function HolderLink({ holder }: { holder: HolderRef | null }) {
  if (!holder) return dash
  const href = holder.kind === 'instance' ? paths.instance(holder.id) : paths.migration(holder.id)
  return <TextLink href={href}>{holder.name}</TextLink>
}
