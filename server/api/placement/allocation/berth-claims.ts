import type { PlacementRefusal } from '../../../store/placement/refused'
import { CODES, conflict, type Problem } from '../problem'

// Refuses changes to the records of instances and migrations that Berth itself runs.

/** An inventory would fall below the allocations of Berth's instances (I1). */
export const claimsInTheWay = ({ class: of, provider }: PlacementRefusal): Problem =>
  conflict(
    `Inventory for '${of}' on resource provider '${provider}' would be less than the allocations of instances that Berth manages. Migrate them away first. Nothing was changed.`,
    CODES.inventoryInUse,
  )

/** An instance of another client, or a consumer that may be one, on a host of Berth. */
export const notOnBerthsHosts = ({ consumer, type, class: of, provider, host }: PlacementRefusal): Problem =>
  conflict(
    `Unable to allocate inventory: ${whatItIs(consumer, type)} and requests '${of}' on resource provider '${provider}', which belongs to host ${host}. Berth manages ${host} and places instances there itself. Nothing was changed. Claim on a host that Berth does not manage, or create the instance in Berth; a consumer that is no instance names another consumer_type (microversion 1.38). An administrator can allow instances of other clients in Berth's settings.`,
  )

const whatItIs = (consumer: string | undefined, type: string | undefined) =>
  type === 'unknown'
    ? `Consumer ${consumer} has no consumer_type, so it may be an instance,`
    : `Consumer ${consumer} is of consumer_type ${type}`

/** A consumer is an instance or a migration of Berth's own. */
export const consumerManagedByBerth = ({ consumer }: PlacementRefusal): Problem =>
  conflict(
    `Consumer ${consumer} is an instance or a migration that Berth manages, and only Berth changes its allocations. Migrate, resize or delete it in Berth. Nothing was changed.`,
  )
