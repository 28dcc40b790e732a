import type { Side } from '../migration/state'

export const otherSide = (side: Side): Side => (side === 'source' ? 'target' : 'source')
