import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { APIRequestContext } from '@playwright/test'
import { postgresAt } from './address'

// Nova's requests to the Placement API when one of its compute hosts starts.

/** Creates a token as `npm run token` does. */
export async function tokenOf(port: number, name: string): Promise<string> {
  const url = await readFile(`${postgresAt(port)}.url`, 'utf8')
  const args = ['--import', 'tsx', 'server/cli/token.ts', 'add', name, '--role', 'operator']
  const env = { ...process.env, DATABASE_URL: url }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return stdout.trim()
}

export interface ProviderTreeIds {
  readonly name: string
  /** UUIDs of the host, of an instance on it, and of a migration to it. */
  readonly root: string
  readonly instance: string
  readonly migration: string
}

/** One host with 64 VCPU, 4 of which an instance and a migration hold. */
export async function registerTree(request: APIRequestContext, token: string, tree: ProviderTreeIds): Promise<void> {
  const headers = { 'x-auth-token': token, 'openstack-api-version': 'placement 1.39' }
  const send = async (method: string, path: string, data: object) => {
    const response = await request.fetch(`/placement${path}`, { method, headers, data })
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`)
  }
  await send('POST', '/resource_providers', { name: tree.name, uuid: tree.root })
  await send('PUT', `/resource_providers/${tree.root}/inventories`, {
    resource_provider_generation: 0,
    inventories: { VCPU: { total: 16, allocation_ratio: 4 }, MEMORY_MB: { total: 65_536, reserved: 512 } },
  })
  const claim = (consumer: string, type: string) =>
    send('PUT', `/allocations/${consumer}`, {
      allocations: { [tree.root]: { resources: { VCPU: 2, MEMORY_MB: 2048 } } },
      ...{ project_id: 'shop', user_id: 'mona', consumer_generation: null, consumer_type: type },
    })
  await claim(tree.instance, 'INSTANCE')
  await claim(tree.migration, 'MIGRATION')
}
