import type { Disproof } from '../proof/disproof'
import type { Amount } from '../resources/inventory'
import type { StorageUsed } from '../storage/storage'
import type { HostId } from '../words/ids'
import type { HostRefusals } from '../words/refusal'
import type { Progress, Step } from './state'

// Observed facts. Only facts and requested actions advance a migration, and facts take precedence (L5).

export type Fact =
  // claim
  | { readonly is: 'no-slot'; readonly place: number }
  /** `kept` and `storage`: what the claim's plan says; nothing and null for a claim that is kept as it is. */
  | {
      readonly is: 'claimed'
      readonly target: HostId
      readonly kept?: readonly Amount[]
      readonly storage?: StorageUsed | null
    }
  /** No host takes it, each with its reasons. */
  /** `asked` hosts refused; `hosts` are those closest to a fit, because a whole fleet's reasons are no answer. */
  | { readonly is: 'refused'; readonly hosts: readonly HostRefusals[]; readonly asked: number }
  /** Others were faster on every host that was tried. */
  | { readonly is: 'outrun'; readonly tried: readonly HostId[]; readonly why: string }
  // every step with an act
  /** The act of that step made true what the step promises. Said of another step, it is late and changes nothing. */
  /** `progress`: the final statistics of a transfer, for what was last seen on the way does not know the downtime. */
  | { readonly is: 'done'; readonly step: Step; readonly progress?: Progress }
  | { readonly is: 'failed'; readonly step: Step; readonly why: string }
  /** Nobody answered, or the host is down: it may or may not have happened. */
  | { readonly is: 'silent'; readonly host: HostId; readonly why: string }
  /** What the act relies on does not hold (`engine/proof`): nothing was done. */
  | ({ readonly is: 'disproved' } & Disproof)
  // transfer
  | { readonly is: 'moving'; readonly progress: Progress; readonly handedOver: boolean }
  | { readonly is: 'stopped' }
  | { readonly is: 'forced' }
  // switch
  /** Heading home, but the instance is on the target and cannot come back. */
  | { readonly is: 'no-way-back'; readonly why: string }
  // verify, release
  /** The host that the instance was switched to never returns, and the instance is still whole where it came from. */
  | { readonly is: 'lost'; readonly why: string }
  // verify, and requested actions that need no act of a driver
  | { readonly is: 'heard' }
  | { readonly is: 'window-over' }
  | { readonly is: 'undecided' }
