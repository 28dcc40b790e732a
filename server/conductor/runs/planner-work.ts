import { parentPort } from 'node:worker_threads'
import { planDrain } from '../../engine/drain'
import type { DrainInput } from '../../engine/drain/plan'

// What a planning thread does: the pure planner, one question at a time.

parentPort?.on('message', (ask: DrainInput) => parentPort?.postMessage(planDrain(ask)))
