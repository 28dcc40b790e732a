import { expect, test } from 'vitest'
import type { CloudClient } from '../client'
import { readGroups } from './nova-lists'

const groupOf = (id: string) => ({
  id,
  name: id,
  policy: 'anti-affinity',
  members: [],
  project_id: 'p1',
  user_id: 'u1',
})

/** Pages of three groups by offset; before each request after the first, `between` changes the list. */
function pagesOf(groups: string[], between: (groups: string[], request: number) => void) {
  const requests: number[] = []
  const get = async ({ query }: { query: { offset: string } }) => {
    const offset = Number(query.offset)
    if (requests.length > 0) between(groups, requests.length)
    requests.push(offset)
    return { value: { server_groups: groups.slice(offset, offset + 3).map(groupOf) }, at: 1_000 + requests.length }
  }
  return { requests, client: { get } as unknown as CloudClient }
}
const idsIn = (part: Awaited<ReturnType<typeof readGroups>>) => part.isRead && part.value.map(({ id }) => id)
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

test('all server groups are listed, page by page', async () => {
  const { client } = pagesOf([...NAMES], () => {})
  expect(await readGroups(client)).toMatchObject({ isRead: true, at: 1_001 })
  expect(idsIn(await readGroups(client))).toEqual(NAMES)
})

test.each([
  ['the first', ['a']],
  ['the last that was read', ['c']],
  ['several', ['a', 'b', 'c', 'd']],
])('no server group is skipped when a deletion of %s shifts the next page', async (_, deleted) => {
  const { client } = pagesOf([...NAMES], (groups, request) => {
    if (request === 1) groups.splice(0, groups.length, ...NAMES.filter((name) => !deleted.includes(name)))
  })
  const left = NAMES.filter((name) => !deleted.includes(name))
  expect(idsIn(await readGroups(client))).toEqual(expect.arrayContaining(left))
})

test('server groups that change before each page are not listed in part', async () => {
  const { client, requests } = pagesOf([...NAMES], (groups) => {
    groups.push(`${groups.shift()}+`)
  })
  expect(await readGroups(client)).toMatchObject({ isRead: false, why: expect.stringContaining('os-server-groups') })
  expect(requests.length).toBeLessThan(50)
})
