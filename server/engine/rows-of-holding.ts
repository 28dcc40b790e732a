import type { Holding, Host } from './host'
import type { Line } from './rows'

/** Every row of one claim, as lines that create it. Reversed (`undone`) they delete it completely. */
export function linesOfHolding(host: Pick<Host, 'id'>, holding: Holding, why: string): readonly Line[] {
  const { claim, consumer, consumerKind, instance, body } = holding
  const made = { before: null, host: host.id, why }
  const type = consumerKind === 'instance' ? 'INSTANCE' : 'MIGRATION'
  return [
    { row: 'consumer', key: { id: consumer }, after: { type }, ...made },
    { row: 'claim', key: { id: claim }, after: { consumer, consumerKind, instance, host: host.id }, ...made },
    ...body.amounts.map(({ provider, resourceClass, amount }): Line => {
      return { row: 'allocation', key: { consumer, provider, resourceClass }, after: { amount }, ...made }
    }),
    ...body.cells.map(({ guestCell, ...after }): Line => {
      return { row: 'claim-cell', key: { claim, guestCell }, after, ...made }
    }),
    ...body.units.map(({ unit, use, requestId }): Line => {
      const after = { claim, use, requestId: requestId ?? null }
      return { row: 'unit-holding', key: { host: host.id, unit }, after, ...made }
    }),
  ]
}
