import type { Instance, VmState } from '../engine/change'
import { operationRow } from '../engine/migration/operations'
import type { Migration, Outcome, Step } from '../engine/migration/state'

// Nova's name for a state of Berth's. Only for comparison with traces of Nova: nothing else in Berth depends on it.
// Source: nova/objects/migration.py and the statuses that nova/compute/manager.py sets.

export type NovaType = 'live-migration' | 'migration' | 'resize' | 'evacuation'

interface Words {
  readonly queued: string
  readonly there: { readonly [S in Exclude<Step, 'ended'>]: string }
  /** During a rollback, including the clean-up of the target. */
  readonly back: string
  readonly ended: { readonly [O in Outcome]: string }
}

const COLD: Words = {
  queued: 'queued',
  there: {
    claim: 'pre-migrating',
    prepare: 'pre-migrating',
    transfer: 'migrating',
    switch: 'post-migrating',
    verify: 'finished',
    release: 'confirming',
  },
  back: 'reverting',
  // Nova cannot abort a cold migration; the nearest status is that of an aborted live migration.
  ended: { completed: 'confirmed', reverted: 'reverted', aborted: 'cancelled', failed: 'error' },
}

const WORDS: { readonly [T in NovaType]: Words } = {
  'live-migration': {
    queued: 'queued',
    there: {
      claim: 'accepted',
      prepare: 'preparing',
      transfer: 'running',
      switch: 'running',
      verify: 'running',
      release: 'running',
    },
    back: 'running',
    ended: { completed: 'completed', reverted: 'cancelled', aborted: 'cancelled', failed: 'failed' },
  },
  migration: COLD,
  resize: COLD,
  evacuation: {
    queued: 'accepted',
    there: {
      claim: 'accepted',
      prepare: 'pre-migrating',
      transfer: 'pre-migrating',
      switch: 'pre-migrating',
      verify: 'done',
      release: 'done',
    },
    back: 'pre-migrating',
    ended: { completed: 'done', reverted: 'failed', aborted: 'cancelled', failed: 'failed' },
  },
}

export interface NovaMigration {
  readonly type: NovaType
  readonly status: string
}

/**
 * Null for the migrations of which Nova keeps no record. `sourceCleaned`: the source of an evacuation is back and
 * cleaned up; only then does Nova set the record to completed.
 */
export function novaMigration(migration: Migration, sourceCleaned = false): NovaMigration | null {
  const type = operationRow(migration.operation).novaType
  return type === null ? null : { type, status: novaStatus(WORDS[type], migration, sourceCleaned) }
}

function novaStatus(words: Words, migration: Migration, sourceCleaned: boolean): string {
  const { step, direction, outcome, cause, waiting } = migration
  if (step === 'ended') {
    // Nova's conductor fails a migration without a valid host before it reaches a driver, with status `error` for every
    // type.
    if (outcome === 'failed' && cause?.step === 'claim') return 'error'
    if (words === WORDS.evacuation && outcome === 'completed' && sourceCleaned) return 'completed'
    return words.ended[outcome ?? 'failed']
  }
  if (direction === 'source') return words.back
  if (step === 'claim' && waiting?.for === 'slot') return words.queued
  return words.there[step]
}

export interface NovaServer {
  readonly vmState: string
  readonly taskState: string | null
}

const VM_STATES: { readonly [S in VmState]: string } = {
  building: 'building',
  active: 'active',
  stopped: 'stopped',
  paused: 'paused',
  shelved: 'shelved_offloaded',
  error: 'error',
  deleting: 'active',
}

/** State of the server while `active` is its migration, or at rest when `active` is null. */
export function novaServer(instance: Instance, active: Migration | null): NovaServer {
  const vmState = VM_STATES[instance.vmState]
  if (active === null) return { vmState, taskState: restingTask(instance.vmState) }
  if (operationRow(active.operation).verify) return coldServer(vmState, active)
  const done = active.home === 'target'
  switch (operationRow(active.operation).transfer) {
    case 'memory':
      return { vmState, taskState: 'migrating' }
    case 'unpack':
      return { vmState, taskState: done ? null : 'unshelving' }
    default:
      return { vmState, taskState: done ? null : 'rebuilding' }
  }
}

function restingTask(vmState: VmState): string | null {
  if (vmState === 'building') return 'spawning'
  return vmState === 'deleting' ? 'deleting' : null
}

const COLD_TASKS: { readonly [S in Step]: string | null } = {
  claim: 'resize_prep',
  prepare: 'resize_prep',
  transfer: 'resize_migrating',
  switch: 'resize_finish',
  verify: null,
  release: null,
  ended: null,
}

function coldServer(vmState: string, { step, direction, home }: Migration): NovaServer {
  if (home === 'source') return { vmState, taskState: direction === 'source' ? null : COLD_TASKS[step] }
  return { vmState: 'resized', taskState: direction === 'source' ? 'resize_reverting' : COLD_TASKS[step] }
}
