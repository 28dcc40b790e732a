import { MAX_TRANSFER_LIMITS } from '@/forms/transfer-limits'
import { type MigrationPolicy, PLAIN_POLICY } from './control'

// How memory is copied to a host, as stored with the host and as typed on import.

/** Maximum of each figure; all are whole and at least 1. */
export const POLICY_LIMITS = {
  ...{ ...MAX_TRANSFER_LIMITS, postCopyAfterRounds: 1_000, parallelConnections: 64 },
} as const satisfies Partial<Record<keyof MigrationPolicy, number>>

type Figure = keyof typeof POLICY_LIMITS
type Switch = Exclude<keyof MigrationPolicy, Figure>

const FIGURES = Object.keys(POLICY_LIMITS) as readonly Figure[]
const SWITCHES = ['autoConverge', 'postCopy', 'tls'] as const satisfies readonly Switch[]

/** Omitted fields are as in PLAIN_POLICY; returns what is wrong otherwise. */
export function readPolicy(stored: unknown): MigrationPolicy | string {
  const policy = { ...PLAIN_POLICY, ...(stored as Partial<MigrationPolicy> | null | undefined) }
  const figure = FIGURES.find((name) => !isFigure(policy[name], POLICY_LIMITS[name]))
  if (figure) return `${figure} is a whole number from 1 to ${POLICY_LIMITS[figure]}, or null`
  const other = SWITCHES.find((name) => typeof policy[name] !== 'boolean')
  if (other) return `${other} is true or false`
  if (policy.postCopyAfterRounds !== null && !policy.postCopy) return 'postCopyAfterRounds needs postCopy'
  // Source: libvirt docs, "migration": QEMU cannot switch to post-copy while several connections carry the memory.
  if (policy.parallelConnections !== null && policy.postCopy)
    return 'postCopy and parallelConnections exclude each other'
  return policy
}

const isFigure = (value: unknown, most: number) =>
  value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most)

/** As `virsh migrate` names them. */
const FIGURE_WORDS = new Map<string, Figure>([
  ['bandwidth', 'bandwidthMibPerS'],
  ['max-downtime', 'maxDowntimeMs'],
  ['postcopy-after', 'postCopyAfterRounds'],
  ['parallel-connections', 'parallelConnections'],
])
const SWITCH_WORDS = new Map<string, Switch>([
  ['auto-converge', 'autoConverge'],
  ['postcopy', 'postCopy'],
  ['tls', 'tls'],
])
const ALL_WORDS = [...[...FIGURE_WORDS.keys()].map((name) => `${name}=N`), ...SWITCH_WORDS.keys()].join(', ')

/** Parses `bandwidth=100`, `auto-converge` and the like; returns what is wrong otherwise. */
export function policyOf(words: readonly string[]): MigrationPolicy | string {
  const policy: Partial<Record<keyof MigrationPolicy, unknown>> = {}
  for (const word of words) {
    const [name = '', value] = word.split('=', 2)
    const figure = FIGURE_WORDS.get(name)
    const other = SWITCH_WORDS.get(name)
    if (figure && value !== undefined) policy[figure] = value === '' ? Number.NaN : Number(value)
    else if (other && value === undefined) policy[other] = true
    else return `"${word}" is not among ${ALL_WORDS}`
  }
  return readPolicy(policy)
}
