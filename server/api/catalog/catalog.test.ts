import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Flavor, PciAlias } from '../../engine/demand'
import { openTestApi } from '../testing/api'

// The catalog on real PostgreSQL: admins create, change and delete entries, and nothing that exists becomes invalid.

const api = onFreshDatabase(openTestApi)

const admin = () => api.as('admin').catalog
const list = () => api.as('viewer').catalog.list()
const reason = 'new hardware'
const flavor = (name: string, extraSpecs: Flavor['extraSpecs'] = {}): Flavor => ({
  ...{ name, vcpus: 2, memoryMib: 1024, diskGib: 10, extraSpecs },
})
const NIC: PciAlias = { name: 'nic', spec: [{ vendor_id: '15b3', product_id: '101e' }], numaPolicy: 'required' }

async function instanceWith(set: { flavor?: Flavor; group?: string }): Promise<void> {
  await api.database.pool.query(
    `insert into instance (id, name, project, flavor, image, vm_state, group_id, created_at, updated_at)
     values (gen_random_uuid(), gen_random_uuid()::text, 'p', $1, '{"name":"i","properties":{}}', 'shelved',
       (select id from instance_group where name = $2), now(), now())`,
    [JSON.stringify(set.flavor ?? flavor('other')), set.group ?? null],
  )
}

describe('a flavor', () => {
  test('is created, changed while instances keep theirs, deleted only when unused, and audited', async () => {
    const small = flavor('small')
    await admin().setFlavor({ before: null, after: small, reason })
    await instanceWith({ flavor: small })
    const larger = { ...small, vcpus: 4 }
    await admin().setFlavor({ before: small, after: larger, reason })
    expect((await list()).flavors).toContainEqual({ value: larger, uses: 1 })
    const kept = await api.database.pool.query("select flavor from instance where flavor ->> 'name' = 'small'")
    expect(kept.rows).toEqual([{ flavor: small }])
    const deleting = admin().setFlavor({ before: larger, after: null, reason })
    await expect(deleting).rejects.toThrow(/1 instance uses it/)
    await api.database.pool.query('delete from instance')
    await admin().setFlavor({ before: larger, after: null, reason })
    const { rows } = await api.database.pool.query(
      "select who, reason, data from audit_entry where action = 'catalog.flavor' order by id",
    )
    expect(rows.map(({ data }) => [data.before?.vcpus ?? null, data.after?.vcpus ?? null])).toEqual([
      [null, 2],
      [2, 4],
      [4, null],
    ])
    expect(rows.every((row) => row.who === 'the_admin' && row.reason === reason)).toBe(true)
  })

  test.each([
    [{ 'hw:cpu_policy': 'sometimes' }, /hw:cpu_policy/],
    [{ 'resources:VCPU': 'many' }, /resources:VCPU/],
    [{ 'trait:CUSTOM_X': 'maybe' }, /trait:CUSTOM_X/],
    [{ 'pci_passthrough:alias': 'nobody:1' }, /pci_passthrough:alias/],
  ])('with %j is refused at that key, and nothing is created', async (specs, key) => {
    const wrong = admin().setFlavor({ before: null, after: flavor('wrong', specs as Flavor['extraSpecs']), reason })
    await expect(wrong).rejects.toThrow(key)
    expect((await list()).flavors.map(({ value }) => value.name)).not.toContain('wrong')
  })

  test('is not overwritten when another user has changed it since it was read', async () => {
    const start = flavor('raced')
    await admin().setFlavor({ before: null, after: start, reason })
    let now = start
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(sizes, async (vcpus) => {
        const tries = vcpus.map((each, n) => ({ ...now, vcpus: each, memoryMib: now.memoryMib + n + 1 }))
        const done = await Promise.allSettled(tries.map((after) => admin().setFlavor({ before: now, after, reason })))
        expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        now = tries[done.findIndex(({ status }) => status === 'fulfilled')] ?? now
        expect((await list()).flavors).toContainEqual({ value: now, uses: 0 })
      }),
      { numRuns: 6 },
    )
  })
})

describe('a server group', () => {
  test('with members keeps its policy, may only raise its limit per host, and is not deleted', async () => {
    const quorum = { name: 'quorum', policy: 'anti-affinity', maxPerHost: 2 } as const
    await admin().setGroup({ before: null, after: quorum, reason })
    await instanceWith({ group: 'quorum' })
    const set = (after: object | null) => admin().setGroup({ before: quorum, after: after as never, reason })
    await expect(set({ ...quorum, policy: 'affinity' })).rejects.toThrow(/policy is fixed while 1 instance uses it/)
    await expect(set({ ...quorum, maxPerHost: 1 })).rejects.toThrow(/not fewer/)
    await expect(set(null)).rejects.toThrow(/1 instance uses it/)
    const generation = async () =>
      (await api.database.pool.query("select generation from instance_group where name = 'quorum'")).rows[0].generation
    const before = Number(await generation())
    await set({ ...quorum, maxPerHost: 3 })
    expect(Number(await generation())).toBe(before + 1)
  })
})

describe('a PCI alias', () => {
  test('used by a flavor may change its NUMA policy but not its devices, and is not deleted', async () => {
    await admin().setAlias({ before: null, after: NIC, reason })
    await admin().setFlavor({ before: null, after: flavor('with-nic', { 'pci_passthrough:alias': 'nic:1' }), reason })
    expect((await list()).aliases).toContainEqual({ value: NIC, uses: 1 })
    const other = { ...NIC, spec: [{ vendor_id: '15b3' }] }
    await expect(admin().setAlias({ before: NIC, after: other, reason })).rejects.toThrow(/only its NUMA policy/)
    await expect(admin().setAlias({ before: NIC, after: null, reason })).rejects.toThrow(/names it/)
    await admin().setAlias({ before: NIC, after: { ...NIC, numaPolicy: 'preferred' }, reason })
  })

  test('with an id of no existing device is refused', async () => {
    const wrong = { ...NIC, name: 'wrong', spec: [{ vendor_id: 'intel' }] }
    await expect(admin().setAlias({ before: null, after: wrong, reason })).rejects.toThrow(/hexadecimal/)
  })
})

test('a user without the role admin changes nothing and sees why', async () => {
  expect((await list()).permit).toMatchObject({ ok: false })
  const wanted = { before: null, after: flavor('mine'), reason }
  await expect(api.as('operator').catalog.setFlavor(wanted)).rejects.toThrow(/needs/)
})
