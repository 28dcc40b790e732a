import type { NewGuest } from '../driver'
import { emptyGuest, type GuestRecord } from './record'
import type { SimulatorState } from './state'

/** Makes the hypervisors run guests that were there before anybody looked: an import, the demo fleet. */
export function adoptGuests(state: SimulatorState, at: number): (guests: readonly Adopted[]) => Promise<void> {
  return (guests) => state.adopt(guests.map((guest) => running(guest, at)))
}

type Adopted = Omit<NewGuest, 'fence'>

function running({ instance, name, host, flavor, image, claim }: Adopted, since: number): GuestRecord {
  const copy = { host, madeBy: null, settled: true, is: 'running', since, flavor, image, claim } as const
  return { ...emptyGuest(instance), name, copies: [copy] }
}
