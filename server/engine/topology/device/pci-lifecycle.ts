import type { PciDevType } from '../host'

// The status machine of a PCI device as Nova's API shows it. Source: Nova `objects/pci_device.py`. Berth's records only
// have the holder of each unit (`devices.ts`); this gives the same in Nova's words, step by step, quirks included: a
// freed VF also revives a PF that was removed meanwhile.

export type PciStatus = 'available' | 'claimed' | 'allocated' | 'removed' | 'unclaimable' | 'unavailable'

export interface PciRow {
  readonly address: string
  readonly devType: PciDevType
  readonly parentAddress: string | null
  readonly status: PciStatus
  readonly owner: string | null
}

export type PciOperation = 'claim' | 'allocate' | 'free' | 'remove'

export interface PciStep {
  readonly op: PciOperation
  readonly address: string
  /** The owner of the operation. Not needed to remove. */
  readonly owner: string | null
}

export type PciStepError = 'unknown-device' | 'wrong-status' | 'wrong-owner' | 'parent-status' | 'child-status'

export type PciStepResult =
  | { readonly ok: true; readonly rows: readonly PciRow[]; readonly freed: readonly string[] }
  | { readonly ok: false; readonly error: PciStepError }

/** The statuses that an operation starts from, its result, and its effect on related devices. */
interface Rule {
  readonly from: readonly PciStatus[]
  readonly to: PciStatus
  /** Only the owner may, if there is one. */
  readonly owned: boolean
  readonly keepsOwner: boolean
  /** For a PF: required and resulting statuses of its VFs. */
  readonly children: { readonly from: readonly PciStatus[]; readonly to: PciStatus } | null
  /** For a VF or vdpa: required and resulting status of its PF. */
  readonly parent: { readonly from: readonly PciStatus[]; readonly to: (now: PciStatus) => PciStatus } | null
}

const ANY: readonly PciStatus[] = ['available', 'claimed', 'allocated', 'removed', 'unclaimable', 'unavailable']
const NOT_TAKEN_WHOLE: readonly PciStatus[] = ['available', 'unclaimable', 'unavailable']

const RULES: { readonly [K in PciOperation]: Rule } = {
  claim: {
    from: ['available'],
    to: 'claimed',
    owned: false,
    keepsOwner: true,
    children: { from: ['available'], to: 'unclaimable' },
    parent: { from: NOT_TAKEN_WHOLE, to: (now) => (now === 'available' ? 'unclaimable' : now) },
  },
  allocate: {
    from: ['available', 'claimed'],
    to: 'allocated',
    owned: true,
    keepsOwner: true,
    children: { from: ['available', 'unclaimable'], to: 'unavailable' },
    parent: { from: NOT_TAKEN_WHOLE, to: () => 'unavailable' },
  },
  free: {
    from: ['claimed', 'allocated'],
    to: 'available',
    owned: true,
    keepsOwner: false,
    children: { from: ANY, to: 'available' },
    parent: { from: ANY, to: () => 'available' },
  },
  remove: {
    from: ['available', 'unclaimable', 'unavailable'],
    to: 'removed',
    owned: false,
    keepsOwner: false,
    children: null,
    parent: null,
  },
}

export function stepPci(rows: readonly PciRow[], step: PciStep): PciStepResult {
  const row = rows.find((device) => device.address === step.address)
  if (row === undefined) return { ok: false, error: 'unknown-device' }
  const rule = RULES[step.op]
  const error = refused({ rows, row, rule, step })
  if (error !== null) return { ok: false, error }
  const changes = new Map<string, PciStatus>()
  for (const child of childrenOf(rows, row)) if (rule.children) changes.set(child.address, rule.children.to)
  const parent = parentOf(rows, row)
  if (parent && rule.parent && (step.op !== 'free' || othersAvailable(rows, row))) {
    changes.set(parent.address, rule.parent.to(parent.status))
  }
  const changed = rows.map((device): PciRow => {
    if (device === row) return { ...row, status: rule.to, owner: rule.keepsOwner ? step.owner : null }
    const status = changes.get(device.address)
    return status === undefined ? device : { ...device, status }
  })
  return { ok: true, rows: changed, freed: step.op === 'free' ? [...changes.keys(), row.address] : [] }
}

interface Attempt {
  readonly rows: readonly PciRow[]
  readonly row: PciRow
  readonly rule: Rule
  readonly step: PciStep
}

function refused({ rows, row, rule, step }: Attempt): PciStepError | null {
  if (!rule.from.includes(row.status)) return 'wrong-status'
  if (rule.owned && row.owner !== null && row.owner !== step.owner) return 'wrong-owner'
  if (step.op === 'remove' && row.owner !== null) return 'wrong-owner'
  const { children, parent } = rule
  if (children && !childrenOf(rows, row).every((child) => children.from.includes(child.status))) return 'child-status'
  const above = parentOf(rows, row)
  return parent && above && !parent.from.includes(above.status) ? 'parent-status' : null
}

const childrenOf = (rows: readonly PciRow[], row: PciRow) =>
  row.devType === 'type-PF' ? rows.filter((other) => other.parentAddress === row.address) : []

const parentOf = (rows: readonly PciRow[], row: PciRow) =>
  row.devType === 'type-VF' || row.devType === 'vdpa'
    ? (rows.find((other) => other.address === row.parentAddress) ?? null)
    : null

/** The PF is free again only with its last VF. */
function othersAvailable(rows: readonly PciRow[], row: PciRow): boolean {
  const siblings = rows.filter((other) => other.parentAddress === row.parentAddress && other !== row)
  return siblings.every((other) => other.status === 'available')
}
