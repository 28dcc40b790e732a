import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { putAliases, readAliases } from '../store/catalog/policy'
import { connectDatabase } from '../store/database/database'
import { gpuAliases, parseNodes, parsePods } from './fleet-csv'
import { type RegistrationResult, registerFleet } from './register'
import { reportLines } from './report'

// A running Berth changes the host between the decision of the import and its claim.

const database = onFreshDatabase(connectDatabase)

const POD_HEADER = 'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec'
const pod = (name: string, cpus: number) => `${name},${cpus * 1000},1024,0,0,`

/** Imports a host of eight CPUs with a workload that fits and one that does not. */
function register(host: string, races: number): Promise<RegistrationResult> {
  const nodes = parseNodes(`sn,cpu_milli,memory_mib,gpu,model\n${host},8000,65536,0,\n`, 'nodes')
  const pods = parsePods([POD_HEADER, pod(`${host}-small`, 1), pod(`${host}-huge`, 100)].join('\n'), 'pods')
  let left = races
  const race = async () => {
    if (left-- > 0) await database.pool.query('update resource_provider set generation = generation + 1')
  }
  const parts = { aliases: [], flavors: [], order: 'fill' } as const
  return registerFleet(
    { ...parts, hosts: nodes.value ?? [], workloads: pods.value ?? [] },
    {
      ...{ database, adoptInstances: race, at: 0, progress: () => {} },
      actor: { who: 'import', request: null, reason: null },
    },
  )
}

const namesOf = (workloads: RegistrationResult['unplaced']) => workloads.map(({ workload }) => workload.name)

test('a workload that fits nowhere is still reported when another one loses a race and is placed again', async () => {
  const result = await register('h1', 1)
  expect(result).toMatchObject({ placed: 1, lost: [] })
  expect(namesOf(result.unplaced)).toEqual(['h1-huge'])
})

test('a workload that loses every race is reported as left out', async () => {
  const result = await register('h2', Number.POSITIVE_INFINITY)
  expect(result).toMatchObject({ placed: 0, lost: [{ name: 'h2-small' }] })
  expect(reportLines(result).join('\n')).toContain('1 lost every race')
})

test('an import keeps a PCI alias of the same name that somebody made, and says so', async () => {
  const mine = { name: 'gpu', spec: [{ vendor_id: '1002' }], numaPolicy: 'required' } as const
  await putAliases(database, [mine])
  const pods = parsePods([POD_HEADER, 'ai,1000,1024,1,1000,'].join('\n'), 'pods').value ?? []
  const nodes = parseNodes('sn,cpu_milli,memory_mib,gpu,model\nh3,8000,65536,1,T4\n', 'nodes').value ?? []
  const result = await registerFleet(
    { hosts: nodes, workloads: [], aliases: gpuAliases(pods), flavors: [], order: 'fill' },
    {
      ...{ database, adoptInstances: async () => {}, at: 0, progress: () => {} },
      actor: { who: 'import', request: null, reason: null },
    },
  )
  expect(await readAliases(database)).toEqual([mine])
  expect(result.kept).toEqual({ aliases: ['gpu'], flavors: [] })
  expect(reportLines(result)).toContain(
    'left out   PCI aliases that exist with other values, and were not changed: gpu',
  )
})
