import type { Fit, FitInput } from './demand'

export type { Fit, FitInput, GivenUnits, Holders, PlaceDemand, VgpuRequest, VpmemRequest } from './demand'
export { type PreparedHost, prepareHost } from './prepared'

/** Does this guest fit on this host, and exactly where? Deterministic; answers every reason when it does not. */
export function fitGuest(_input: FitInput): Fit {
  return { ok: false, refusals: [{ kind: 'no-joint-fit', where: {}, need: 'a search', have: 'none yet' }] }
}
