import type { Severity } from '../audit/kinds'
import type { CloudFacts } from './facts'
import type { CloudFindingKind } from './kinds'
import type { CloudServer } from './snapshot'

/** The statement of one source with its time, ready to print. */
export interface CloudEvidence {
  readonly source: 'nova' | 'placement' | 'libvirt'
  readonly says: string
  /** ms since the epoch by the cloud's clock. */
  readonly at: number
}

export interface CloudObject {
  readonly type: 'instance' | 'migration' | 'consumer' | 'host' | 'provider' | 'group'
  /** Uuid; for a host, its Nova name. */
  readonly id: string
  readonly name: string
}

/** The result of a check of one snapshot. */
export interface CloudDraft {
  readonly kind: CloudFindingKind
  readonly object: CloudObject
  /** Instances, migrations (uuids) and hosts concerned, including the object. */
  readonly instances: readonly string[]
  readonly migrations: readonly string[]
  readonly hosts: readonly string[]
  /** One sentence. */
  readonly cause: string
  readonly evidence: readonly CloudEvidence[]
  /** Why nothing may be done now. */
  readonly locked: string | null
  /** Compared between two snapshots, because printed evidence contains ages, which change. */
  readonly print: string
}

export interface CloudFinding extends CloudDraft {
  readonly group: number
  readonly severity: Severity
  readonly title: string
}

export type CloudCheck = (facts: CloudFacts) => readonly CloudDraft[]
/** Checks one instance: with twenty thousand, the audit yields to the event loop in between. */
export type CloudInstanceCheck = (facts: CloudFacts, server: CloudServer) => readonly CloudDraft[]

export const identityOf = ({ kind, object, print }: CloudDraft): string => `${kind} ${object.id} ${print}`

export const BLANK_DRAFT = { instances: [], migrations: [], hosts: [], locked: null } as const
