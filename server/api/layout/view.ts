import type { Host } from '../../engine/host'
import { layoutStateOf, type Marker } from '../../engine/layout/marker'
import { commanded, isOpen, ROLLOUT_COMMANDS, type Rollout } from '../../engine/layout/rollout'
import { capacityOf, type Provider } from '../../engine/resources/inventory'
import { treeOf } from '../../engine/resources/trait'
import type { Line } from '../../engine/rows'
import { lineWords } from '../heal/line'
import type { Names, Ref } from '../names/names'
import type { Permits } from '../permit/permits'
import type { Permit } from '../permit/rights'
import type { Ms } from '../plain'

// The markers of all hosts, the tree of one host before and after, and the lines between the two.

export type LayoutState = 'flat' | 'planned' | 'blocked' | 'transforming' | 'healed' | 'verified' | 'failed'

export interface TreeNode {
  readonly name: string
  readonly is: 'root' | 'cell' | 'pf' | 'gpu' | 'pmem'
  readonly inventories: readonly {
    readonly resourceClass: string
    readonly total: number
    readonly reserved: number
    readonly used: number
    readonly allocationRatio: number
    /** (total - reserved) × ratio, as Placement computes it. */
    readonly capacity: number
  }[]
  readonly children: readonly TreeNode[]
}

export interface LayoutRow {
  readonly host: Ref
  readonly zone: string | null
  readonly state: LayoutState
  readonly blockedBy: string | null
  readonly by: string | null
  readonly at: Ms | null
  readonly version: number
  readonly consumers: number
  readonly wave: string | null
}

export interface LayoutPlanView {
  readonly host: Ref
  readonly state: LayoutState
  readonly blockedBy: string | null
  readonly before: TreeNode
  readonly after: TreeNode | null
  readonly lines: readonly {
    readonly sign: '-' | '+' | '~'
    readonly what: string
    readonly before: string | null
    readonly after: string | null
    readonly why: string
  }[]
  readonly movedAllocations: number
  readonly permit: Permit
}

export interface LayoutRollout {
  readonly id: string
  readonly state: 'running' | 'paused' | 'done' | 'stopped'
  readonly hosts: number
  readonly healed: number
  /** Already nested when the rollout reached them. */
  readonly skipped: number
  /** Stayed flat, with the reason on their row. */
  readonly blocked: number
  /** The host at which it stopped on its own; resuming retries that host. */
  readonly failed: Ref | null
  readonly why: string | null
  readonly by: string
  readonly reason: string
  readonly at: Ms
  readonly permitted: Permits<'pause' | 'resume' | 'stop'>
}

export function layoutRow(host: Host, marker: Marker | null, rollout: Rollout | null): LayoutRow {
  const state = layoutStateOf(host, marker, rollout)
  const current = marker?.state === state ? marker : null
  return {
    host: { id: host.id, name: host.name },
    zone: host.zone,
    state,
    blockedBy: current?.why ?? null,
    by: current?.by ?? null,
    at: current?.at ?? null,
    version: marker?.version ?? 0,
    consumers: host.holdings.length,
    wave: current?.wave ?? null,
  }
}

/** The last rollout, also when it has ended, for its counts. */
export function rolloutView(rollout: Rollout, names: Names, mine: Permit): LayoutRollout {
  const { id, state, hosts, healed, skipped, blocked, failed, why, by, reason, at } = rollout
  const permits = ROLLOUT_COMMANDS.map((command) => [command, mine.ok ? permitOf(rollout, command) : mine])
  return {
    ...{ id, state, hosts: hosts.length, healed, skipped, blocked, why, by, reason, at },
    failed: failed === null ? null : names.host(failed),
    permitted: Object.fromEntries(permits) as LayoutRollout['permitted'],
  }
}

function permitOf(rollout: Rollout, command: (typeof ROLLOUT_COMMANDS)[number]): Permit {
  const answer = commanded(rollout, command)
  return 'why' in answer && !('id' in answer) ? { ok: false, why: answer.why } : { ok: true }
}

/** Why no other rollout may start beside this one; null when one may. */
export const rolloutObjection = (rollout: Rollout | null): string | null =>
  rollout && isOpen(rollout) ? `A rollout is ${rollout.state} already; let it end or stop it first.` : null

const NO_NODE: readonly TreeNode[] = []

export function treeView(host: Host): TreeNode {
  const [root, ...children] = treeOf(host)
  const nodes = children.map((child) => nodeOf(host, child, NO_NODE))
  // A host without its root provider has a tree without a root.
  return root ? nodeOf(host, root, nodes) : { name: host.name, is: 'root', inventories: [], children: nodes }
}

function nodeOf(host: Host, provider: Provider, children: readonly TreeNode[]): TreeNode {
  const inventories = provider.inventories.map((inventory) => {
    const { resourceClass, total, reserved, used, allocationRatioMilli } = inventory
    const capacity = capacityOf(inventory)
    return { resourceClass, total, reserved, used, allocationRatio: allocationRatioMilli / 1000, capacity }
  })
  return { name: provider.name, is: kindOf(host, provider), inventories, children }
}

function kindOf(host: Host, { id, parent, cell }: Provider): TreeNode['is'] {
  if (parent === null) return 'root'
  if (cell !== undefined) return 'cell'
  const carried = host.devices.filter((device) => device.provider === id)
  if (carried.some(({ kind }) => kind === 'vgpu')) return 'gpu'
  return carried.some(({ kind }) => kind === 'vpmem') ? 'pmem' : 'pf'
}

type LineView = LayoutPlanView['lines'][number]

export function lineViews(lines: readonly Line[], hosts: readonly Host[], names: Names): readonly LineView[] {
  const providers = new Map(hosts.flatMap((host) => host.providers.map(({ id, name }) => [id as string, name])))
  return lines.map((line) => {
    const sign = line.before === null ? '+' : line.after === null ? '-' : '~'
    return { sign, ...lineWords(line, { providers, names }), why: line.why }
  })
}
