import type { Chance } from '../../testing/fleet'
import type { CloudFindingKind } from '../kinds'
import {
  addHost,
  addServer,
  FLAVORS,
  type ModelCloud,
  type ModelHost,
  type ModelServer,
  partsOf,
  write,
} from './nova-cloud'
import { liveMigrate, runUntil } from './nova-operations'

// Live migrations whose source died: its nova-compute alone, or the host with it.

export interface PlantedFinding {
  /** Id of the finding's object. */
  readonly object: string
  /** Further findings that it causes. */
  readonly also?: readonly { readonly kind: CloudFindingKind; readonly object: string }[]
  readonly resolve?: () => void
}

export interface Plant {
  readonly kind: CloudFindingKind
  /** libvirt connections to every host, disk on shared storage, or hours in which nothing else happens. */
  readonly needs: readonly ('witness' | 'shared' | 'hours')[]
  readonly make: (cloud: ModelCloud, server: ModelServer, chance: Chance) => PlantedFinding
}

export const plant = (kind: Plant['kind'], needs: Plant['needs'], make: Plant['make']): Plant => ({ kind, needs, make })

export const otherHost = (cloud: ModelCloud, { host }: ModelServer): ModelHost => {
  const other = [...cloud.hosts.values()].find(
    ({ name, up, enabled, provider }) => name !== host && up && enabled && provider !== '',
  )
  if (other === undefined) throw new Error('needs two hosts')
  return other
}

export const lastOf = (cloud: ModelCloud, { id }: ModelServer) => {
  const migration = cloud.migrations.findLast(({ instance }) => instance === id)
  if (migration === undefined) throw new Error('needs a migration')
  return migration
}

export const migrateLive = (cloud: ModelCloud, server: ModelServer, failsAfter: number | null = null) =>
  liveMigrate(cloud, server, { target: otherHost(cloud, server), failsAfter })

const migrateUntil = (cloud: ModelCloud, server: ModelServer, status: string): void =>
  runUntil(migrateLive(cloud, server), () =>
    cloud.migrations.some(
      (each) => each.instance === server.id && each.status === status && partsOf(cloud, each.uuid).size > 0,
    ),
  )

/** nova-compute of the source dies in one of its states and starts again. */
export const sourceDied = (status: string): Plant =>
  plant('allocations-swapped', [], (cloud, server) => {
    migrateUntil(cloud, server, status)
    write(cloud, server, { taskState: null })
    if (status === 'running') write(cloud, lastOf(cloud, server), { status: 'error' })
    return { object: server.id }
  })

/** A host loses power in one of the states of a live migration, and an operator attests it. */
export const hostDied = (status: string): Plant =>
  plant('allocations-swapped', [], (cloud) => {
    const source = addHost(cloud)
    const server = addServer(cloud, source, FLAVORS[0])
    migrateUntil(cloud, server, status)
    Object.assign(source, { up: false, dead: true })
    const resolve = () => {
      Object.assign(source, { up: true, dead: false })
      write(cloud, server, { taskState: null })
      write(cloud, lastOf(cloud, server), { status: 'error' })
    }
    return { object: server.id, also: [{ kind: 'service-down', object: source.name }], resolve }
  })
