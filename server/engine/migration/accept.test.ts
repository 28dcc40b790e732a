import { expect, test } from 'vitest'
import type { Instance } from '../change'
import { hostId, instanceId, migrationId, smallHost } from '../testing/hosts'
import { flavor, IMAGE } from '../testing/instances'
import { accept, type MigrationRequest } from './accept'
import type { Operation } from './state'

const SMALL = flavor(2)
const NOTHING = { target: null, newFlavor: null, newImage: null, storage: null } as const
const HOST = smallHost()
const instance: Instance = {
  ...{ id: instanceId(1), name: 'web-1', project: 'p', flavor: SMALL, image: IMAGE, host: HOST.id },
  ...{ vmState: 'active', zone: null, group: null, generation: 1 },
}
const TERMS = {
  ...{ id: migrationId(1), sameDemand: () => true, confirmWindowMs: null, at: 0 },
  actor: { who: 'olga', request: null, reason: null },
}

test.each<[Operation, Partial<MigrationRequest>, string, RegExp]>([
  ['resize', {}, 'flavor', /^expected the new flavor$/],
  ['resize', { newFlavor: SMALL }, 'flavor', /^expected another flavor; the instance has /],
  ['live-migrate', { newFlavor: flavor(4) }, 'flavor', /^expected no flavor; only a resize /],
  ['rebuild', {}, 'image', /^expected the image$/],
  ['live-migrate', { newImage: IMAGE }, 'image', /^expected no image; only a rebuild /],
  ['cold-migrate', { storage: 'block' }, 'storage', /^expected no storage mode; only a live migration /],
  ['rebuild', { newImage: IMAGE, target: hostId(9) }, 'host', /^expected the present host/],
])('%s with %j: the refusal names the field and what it expects', (operation, set, have, need) => {
  const result = accept({ instance, host: HOST, activeMigration: null }, { ...NOTHING, operation, ...set }, TERMS)
  const wrong = result.ok ? [] : result.refusals.filter(({ kind }) => kind === 'bad-input')
  expect(wrong).toMatchObject([{ have, need: expect.stringMatching(need) }])
})
