import type { Standings } from '../migration/look'
import { otherSide } from '../migration/machine'
import { operationRow } from '../migration/operations'
import type { Migration, Side } from '../migration/state'
import { type Disproof, disproof } from './disproof'

/** What hypervisors say against cleaning that side: the last copy of a guest is never destroyed. */
export function cleaningDisproof(migration: Migration, side: Side, at: Standings): Disproof | null {
  const other = at[otherSide(side)]
  if (at[side] === 'running' && other !== 'running') {
    return disproof('only-copy', `the guest runs at the ${side} and was not seen running at the ${otherSide(side)}`)
  }
  // What was built or unpacked from an image can be made again, and of a side that cannot answer nobody knows.
  const { transfer } = operationRow(migration.operation)
  if (at[side] !== 'stopped' || transfer === 'rebuild' || transfer === 'unpack') return null
  if (other === 'gone') {
    return disproof('only-copy', `the guest is at the ${side} and the host of the ${otherSide(side)} is gone`)
  }
  if (other !== 'absent' && other !== 'shell' && other !== 'left') return null
  return disproof('only-copy', `the guest is at the ${side} and the ${otherSide(side)} answered without it`)
}
