import type { HostRow } from '@/server/api/host/view'

const NO = { ok: false, why: '' } as const
const NONE = { used: 0, total: 0 }

/** An empty host that answers and takes claims. */
export const hostRow = (name: string, over: Partial<HostRow>): HostRow => ({
  ...{ id: name, name, zone: null, status: 'up', contact: 'answering', scheduling: 'enabled', reason: null },
  ...{ layout: 'flat', driver: 'simulated', kind: 'simulated', cells: 1, findings: 0, worst: null },
  ...{ instances: 0, movesIn: 0, movesOut: 0, remains: 0 },
  ...{ pinned: NONE, vcpu: NONE, memoryMib: NONE, diskGib: NONE, devices: NONE, lastSeenAt: null },
  permitted: { up: NO, down: NO, fenced: NO, lost: NO, enable: NO, disable: NO },
  ...over,
})
