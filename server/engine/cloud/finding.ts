import type { Severity } from '../audit/kinds'
import type { CloudFacts } from './facts'
import type { CloudFindingKind } from './kinds'
import type { CloudServer } from './snapshot'

/** What one of the witnesses says, and when it said so. Ready to print. */
export interface CloudEvidence {
  readonly source: 'nova' | 'placement' | 'libvirt'
  readonly says: string
  /** ms since the epoch by the cloud's clock. */
  readonly at: number
}

export interface CloudObject {
  readonly type: 'instance' | 'migration' | 'consumer' | 'host' | 'provider' | 'group'
  /** Uuid; of a host its Nova name. */
  readonly id: string
  readonly name: string
}

/** What a check says of one snapshot. */
export interface CloudDraft {
  readonly kind: CloudFindingKind
  readonly object: CloudObject
  /** Instances, migrations (uuids) and hosts that it is about, the object among them. */
  readonly instances: readonly string[]
  readonly migrations: readonly string[]
  readonly hosts: readonly string[]
  /** One sentence. */
  readonly cause: string
  readonly evidence: readonly CloudEvidence[]
  /** Why nothing may be done now. */
  readonly locked: string | null
  /** What must read the same in two snapshots; evidence alone prints ages that pass. */
  readonly print: string
}

export interface CloudFinding extends CloudDraft {
  readonly group: number
  readonly severity: Severity
  readonly title: string
}

export type CloudCheck = (facts: CloudFacts) => readonly CloudDraft[]
/** Judges one instance: of twenty thousand, others get the thread in between. */
export type CloudInstanceCheck = (facts: CloudFacts, server: CloudServer) => readonly CloudDraft[]

export const identityOf = ({ kind, object, print }: CloudDraft): string => `${kind} ${object.id} ${print}`

export const BLANK_DRAFT = { instances: [], migrations: [], hosts: [], locked: null } as const
