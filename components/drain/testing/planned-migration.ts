import type { PlannedMigration } from '@/server/api/run/view'

export const ref = (id: string) => ({ id, name: id })
const yes = { ok: true } as const

/** The n-th migration of a plan, from host a to host b. */
export const plannedMigration = (n: number, over: Partial<PlannedMigration> = {}): PlannedMigration => ({
  n,
  instance: ref(`i-${n}`),
  from: ref('a'),
  to: ref('b'),
  method: 'live-migrate',
  helper: false,
  after: [],
  wave: 1,
  priority: 0,
  held: { vcpus: 2, pinnedCpus: 0, memoryMib: 1024, diskGib: 0, devices: 0 },
  why: '',
  refusing: null,
  state: 'planned',
  migration: null,
  refusals: [],
  permitted: { skip: yes, 'change-method': yes, retry: yes },
  ...over,
})
