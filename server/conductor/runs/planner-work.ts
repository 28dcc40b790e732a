import { parentPort } from 'node:worker_threads'
import { planDrain } from '../../engine/drain'
import type { DrainInput } from '../../engine/drain/plan'

// Runs the pure planner in a planning thread, one request at a time.

parentPort?.on('message', (ask: DrainInput) => parentPort?.postMessage(planDrain(ask)))
