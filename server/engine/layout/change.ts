import { type Attribution, type Change, type EventBody, NO_GUARDS, rootGuard } from '../change'
import type { Host } from '../host'
import type { LayoutPlan } from '../layout'
import type { Line } from '../rows'
import type { HostId } from '../words/ids'
import { type Marker, type MarkerSet, markerLine } from './marker'
import { type Rollout, rolloutLine } from './rollout'

// The changes that a layout conversion writes: all rows of a host with its marker, all or nothing.

export interface Reshape {
  readonly host: Host
  readonly plan: LayoutPlan
  readonly marker: Marker | null
  /** Its rollout, which must still be running at the commit. */
  readonly rollout: Rollout | null
}

/**
 * Guarded by the host's root, so any claim, release or exchange between plan and commit is a conflict and nothing is
 * written.
 */
export function reshapeChange({ host, plan, marker, rollout }: Reshape, attribution: Attribution): Change {
  const set = markerSet('healed', null, { rollout, attribution })
  const held = rollout === null ? [] : [rolloutLine(rollout, rollout)]
  return {
    ...changeOf([...held, ...plan.lines, markerLine(host.id, marker, set)], attribution),
    guards: { ...NO_GUARDS, providers: rootGuard(host) },
    event: event('layout.healed', [host.id], { lines: plan.lines.length, wave: rollout?.id ?? null }),
  }
}

/** Markers of hosts in a dry run, without those that stay the same. */
export interface MarkerUpdate {
  readonly host: HostId
  readonly before: Marker | null
  readonly state: 'planned' | 'blocked'
  readonly why: string | null
}

export function markChange(marks: readonly MarkerUpdate[], attribution: Attribution): Change {
  const news = marks.filter(({ before, state, why }) => before?.state !== state || before.why !== why)
  const lines = news.map(({ host, before, state, why }) => {
    return markerLine(host, before, markerSet(state, why, { rollout: null, attribution }))
  })
  return {
    ...changeOf(lines, attribution),
    event: event('layout.planned', [], { hosts: marks.length, news: news.length }),
  }
}

export interface Step {
  readonly host: HostId
  readonly marker: Marker | null
  readonly state: 'verified' | 'blocked' | 'failed' | null
  readonly why: string | null
  /** The rollout before and after, if the host is part of one. */
  readonly rollout: { readonly before: Rollout; readonly after: Rollout } | null
}

/** The result for one host, and for the rollout. State null leaves the marker unchanged. */
export function stepChange({ host, marker, state, why, rollout }: Step, attribution: Attribution): Change {
  const by = { rollout: rollout?.after ?? null, attribution }
  const marking = state === null ? [] : [markerLine(host, marker, markerSet(state, why, by))]
  const going = rollout === null ? [] : [rolloutLine(rollout.before, rollout.after)]
  const data = { state, why, wave: rollout?.after.id ?? null }
  return {
    ...changeOf([...going, ...marking], attribution),
    event: event(`layout.${state ?? 'skipped'}`, [host], data),
  }
}

/** A rollout created (before null), or paused, resumed or stopped by an operator. */
export function rolloutChange(before: Rollout | null, after: Rollout, attribution: Attribution): Change {
  const data = { wave: after.id, state: after.state, hosts: after.hosts.length }
  return { ...changeOf([rolloutLine(before, after)], attribution), event: event('layout.wave', [], data) }
}

function changeOf(lines: readonly Line[], { actor, at }: Attribution): Omit<Change, 'event'> {
  return { guards: NO_GUARDS, writes: lines.map((line) => ({ do: 'row', line })), actor, at }
}

function event(kind: string, hosts: readonly HostId[], data: EventBody['data']): EventBody {
  return { kind, hosts, instance: null, migration: null, data }
}

interface MarkerBy {
  readonly rollout: Rollout | null
  readonly attribution: Attribution
}

function markerSet(state: Marker['state'], why: string | null, { rollout, attribution }: MarkerBy): MarkerSet {
  return { state, why, by: attribution.actor.who, at: attribution.at, wave: rollout?.id ?? null }
}
