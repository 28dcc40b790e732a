import type { VmState } from '../change'
import type { HostStatus } from '../host'
import type { Operation, Step } from './state'

// The six operations as data. The state machine and the tick read the row, never the name: a seventh operation is a
// seventh row. Drivers, estimates and forms also know some names; docs/recipes.md lists the places that the compiler asks for.

export interface OperationRow {
  /** Required state of the source. `fenced`: confirmed powered off, so that a second copy is safe. */
  readonly source: 'running' | 'stopped-by-us' | 'fenced' | 'none'
  readonly target: 'other-host' | 'any-host' | 'same-place'
  /** Method of transfer. `memory` is live: the instance runs on the source until the hand-over. */
  readonly transfer: 'memory' | 'disk' | 'rebuild' | 'unpack'
  readonly changes: 'nothing' | 'flavor' | 'image'
  /** True when an operator, or the confirm window, decides after the switch. */
  readonly verify: boolean
  readonly abortWhile: readonly Step[]
  /** Nova's migration type; Nova keeps no record of a rebuild or an unshelve. */
  readonly novaType: 'live-migration' | 'migration' | 'resize' | 'evacuation' | null
  readonly startFrom: readonly VmState[]
  /** Statuses of the source host under which it may start; empty when there is no source. */
  readonly sourceStatuses: readonly HostStatus[]
}

const OPERATION_TABLE = {
  'live-migrate': {
    source: 'running',
    target: 'other-host',
    transfer: 'memory',
    changes: 'nothing',
    verify: false,
    abortWhile: ['claim', 'prepare', 'transfer'],
    novaType: 'live-migration',
    startFrom: ['active'],
    sourceStatuses: ['up'],
  },
  'cold-migrate': {
    source: 'stopped-by-us',
    target: 'other-host',
    transfer: 'disk',
    changes: 'nothing',
    verify: true,
    abortWhile: ['claim', 'prepare'],
    novaType: 'migration',
    startFrom: ['active', 'stopped'],
    sourceStatuses: ['up'],
  },
  resize: {
    source: 'stopped-by-us',
    target: 'any-host',
    transfer: 'disk',
    changes: 'flavor',
    verify: true,
    abortWhile: ['claim', 'prepare'],
    novaType: 'resize',
    startFrom: ['active', 'stopped'],
    sourceStatuses: ['up'],
  },
  evacuate: {
    source: 'fenced',
    target: 'other-host',
    transfer: 'rebuild',
    changes: 'nothing',
    verify: false,
    abortWhile: ['claim', 'prepare'],
    novaType: 'evacuation',
    startFrom: ['active', 'paused', 'stopped', 'error'],
    // A host that is only down may still run the instance: a second copy would write to the same volumes.
    sourceStatuses: ['fenced', 'lost'],
  },
  rebuild: {
    source: 'stopped-by-us',
    target: 'same-place',
    transfer: 'rebuild',
    changes: 'image',
    verify: false,
    abortWhile: ['claim'],
    novaType: null,
    startFrom: ['active', 'stopped', 'error'],
    sourceStatuses: ['up'],
  },
  unshelve: {
    source: 'none',
    target: 'any-host',
    transfer: 'unpack',
    changes: 'nothing',
    verify: false,
    abortWhile: ['claim', 'prepare'],
    novaType: null,
    startFrom: ['shelved'],
    sourceStatuses: [],
  },
} as const satisfies { readonly [K in Operation]: OperationRow }

/** Steps in which a migration counts against the limits. A release or open confirm may last: neither blocks others. */
export const IN_FLIGHT_STEPS: readonly Step[] = ['prepare', 'transfer', 'switch']

/**
 * Whether it counts against the outgoing limit of its source, which keeps a working host from sending more than it can.
 * A dead host sends nothing: its instances are rebuilt elsewhere, as many at once as targets and fleet allow.
 */
export const loadsSource = (operation: Operation): boolean => operationRow(operation).source !== 'fenced'

export const operationRow = (operation: Operation): OperationRow => OPERATION_TABLE[operation]
