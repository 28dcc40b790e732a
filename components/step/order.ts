import type { Operation, Step } from '@/server/engine/migration/state'
import { operationWords, stepBadges } from './words'

// The order in which screens list operations and steps: that of the words, which follows the state machine.

export const OPERATION_ORDER = Object.keys(operationWords) as readonly Operation[]
export const STEP_ORDER: readonly Step[] = (Object.keys(stepBadges) as Step[]).filter((step) => step !== 'ended')
