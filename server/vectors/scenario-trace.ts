// The parts of a whole-system trace that are read: the state of a small Nova after each step of a scenario. Units in
// names were renamed when the file was read.

export interface TraceNode {
  readonly id: number
  readonly pinnedCpus: readonly number[]
  readonly cpuUsage: number
  readonly memoryUsageMib: number
}

export interface TraceHost {
  readonly vcpusUsed: number
  /** With the 512 MiB that Nova reserves. */
  readonly memoryMbUsed: number
  readonly localGbUsed: number
  readonly cells: readonly TraceNode[]
  readonly pci: Readonly<Record<string, readonly [status: string, owner: string | null]>>
}

export interface TraceGuestNode {
  readonly hostCellId: number
  readonly cpuset: readonly number[]
  readonly pcpuset: readonly number[]
  readonly cpuPinning: Readonly<Record<string, number>> | null
  readonly memoryMib: number
  readonly pageSizeKib: number | null
}

export interface TraceContext {
  readonly migration: number
  readonly oldNuma: readonly TraceGuestNode[] | null
  readonly newNuma: readonly TraceGuestNode[] | null
  readonly oldPci: readonly string[]
  readonly newPci: readonly string[]
}

export interface TraceServer {
  readonly host: string | null
  readonly vmState: string
  readonly taskState: string | null
  readonly flavor: string
  readonly numa: readonly TraceGuestNode[] | null
  readonly pciDevices: readonly string[]
  readonly migrationContext: TraceContext | null
}

export type TraceAmounts = Readonly<Record<string, number>>

export interface TraceMigration {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly source: string | null
  readonly dest: string | null
  readonly server: string
}

export interface TraceState {
  readonly hosts: Readonly<Record<string, TraceHost>>
  readonly servers: Readonly<Record<string, TraceServer>>
  /** Consumer (server name or `migration-N`) → provider → class → amount. */
  readonly allocations: Readonly<Record<string, Readonly<Record<string, TraceAmounts>>>>
  readonly migrations: readonly TraceMigration[]
}

export interface TraceStep {
  readonly step: string
  readonly state: TraceState
  readonly afterAudit: TraceState | null
}

export interface Trace {
  readonly name: string
  readonly steps: readonly TraceStep[]
}
