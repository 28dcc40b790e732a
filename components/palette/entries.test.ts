import { describe, expect, it } from 'vitest'
import type { FoundHost, FoundInstance, FoundMigration, SearchView } from '@/server/api/search/router'
import { groupsOf, readRequest } from './entries'

const YES = { ok: true } as const
const NO = { ok: false, why: 'It is moving already.' } as const
const instance = (name: string, live: typeof YES | typeof NO = YES): FoundInstance => ({
  ...{ id: `i-${name}`, name, project: 'shop', vmState: 'active', host: { id: 'h-1', name: 'std-01' } },
  permitted: {
    'live-migrate': live,
    ...{ 'cold-migrate': YES, resize: YES, evacuate: YES, rebuild: YES, unshelve: YES, delete: YES },
    ...{ start: YES, stop: YES, reboot: YES, pause: YES, resume: YES },
  },
})
const host: FoundHost = {
  ...{ id: 'h-1', name: 'std-01', zone: 'a', status: 'up', contact: 'answering', scheduling: 'enabled' },
  permitted: { up: NO, down: YES, fenced: YES, lost: YES, enable: NO, disable: YES, drain: YES, evacuation: NO },
}
const migration: FoundMigration = {
  ...{ id: 'm-1', instance: { id: 'i-web', name: 'web' }, operation: 'resize', step: 'verify', outcome: null },
  permitted: { confirm: YES, revert: YES, abort: NO, 'force-complete': NO, retry: NO },
}
const answer = (set: Partial<SearchView>): SearchView => ({
  ...{
    hosts: [],
    instances: [],
    migrations: [],
    devices: [],
    trees: [],
    records: [],
    views: [],
    permitted: { build: YES },
    tookMs: 1,
  },
  ...set,
})
const groups = (text: string, set: Partial<SearchView> = {}, build: typeof YES | typeof NO = YES) =>
  groupsOf({ text, answer: answer(set), build, addHost: YES, clock: 'utc' })
const labels = (text: string, set: Partial<SearchView> = {}) =>
  groups(text, set).flatMap(({ entries }) => entries.map(({ label }) => label))

describe('a query that starts with a verb', () => {
  it.each([
    ['confirm web-1', { verb: 'confirm', sought: 'web-1' }],
    ['conf web-1', { verb: 'conf', sought: 'web-1' }],
    ['Live web', { verb: 'live', sought: 'web' }],
    ['confirm', { verb: null, sought: 'confirm' }],
    ['web 1', { verb: null, sought: 'web 1' }],
    ['co web', { verb: null, sought: 'co web' }],
  ])('%s', (text, expected) => expect(readRequest(text)).toEqual(expected))
})

describe('the palette', () => {
  it('lists pages and actions before anything is typed', () => {
    expect(labels('')).toEqual(expect.arrayContaining(['Overview', 'Hosts', 'Build instance', 'Sign out']))
  })
  it('lists pages by name, and times in the other zone', () => {
    expect(labels('inst')).toEqual(['Instances', 'Build instance'])
    expect(labels('local')).toEqual(['Show times in local time'])
  })
  it('lists results in groups, then the actions for the best match', () => {
    const found = groups('web', { instances: [instance('web'), instance('web-2')], migrations: [migration] })
    expect(found.map(({ name }) => name)).toEqual(['instance', 'migration', 'action'])
    const actions = found.at(-1)!.entries.map(({ label }) => label)
    expect(actions).toContain('Live-migrate web')
    expect(actions).toContain('Confirm web')
    expect(actions).not.toContain('Live-migrate web-2')
  })
  it('lists only the typed verb for all matches, at the top', () => {
    const found = groups('live web', { instances: [instance('web'), instance('web-2')], hosts: [host] })
    expect(found[0]).toMatchObject({
      name: 'action',
      entries: [{ label: 'Live-migrate web' }, { label: 'Live-migrate web-2' }],
    })
  })
  it('lists the provider trees of Nova, which have a page of their own', () => {
    const found = groups('cmp', { trees: [{ id: 't-1', name: 'cmp-1' }] })
    expect(found.find(({ name }) => name === 'tree')?.entries).toMatchObject([
      {
        label: 'cmp-1',
        hint: expect.stringContaining('managed by Nova'),
        action: { do: 'go', href: '/providers/t-1' },
      },
    ])
  })
  it('lists actions that are not permitted, with the reason', () => {
    const [actions] = groups('live web', { instances: [instance('web', NO)] })
    expect(actions?.entries).toMatchObject([{ label: 'Live-migrate web', disabledReason: 'It is moving already.' }])
    const own = groups('build', {}, NO).at(-1)
    expect(own?.entries).toMatchObject([{ label: 'Build instance', disabledReason: 'It is moving already.' }])
  })
  it('lists every way to empty a host by its verb, or the reason against it', () => {
    const hosts = [host, { ...host, id: 'h-2', name: 'std-02' }]
    expect(groups('drain std', { hosts })[0]?.entries).toMatchObject([
      { label: 'Drain std-01', disabledReason: null, action: { do: 'go', href: '/hosts/h-1?drain=yes' } },
      { label: 'Drain std-02', disabledReason: null, action: { do: 'go', href: '/hosts/h-2?drain=yes' } },
    ])
    expect(groups('evacuate std-01', { hosts: [host] })[0]?.entries).toMatchObject([
      { label: 'Evacuate std-01', disabledReason: NO.why, action: { do: 'go', href: '/hosts/h-1/evacuate' } },
    ])
    expect(labels('std', { hosts })).toEqual(expect.arrayContaining(['Drain std-01', 'Evacuate std-01']))
  })
  it('lists no requested actions for an ended migration', () => {
    expect(labels('confirm web', { migrations: [{ ...migration, outcome: 'completed' }] })).not.toContain('Confirm web')
  })
  it('lists a device with its host, and links to its unit on the map', () => {
    const devices = [{ host: { id: 'h-1', name: 'std-01' }, unit: 'pci:0000:3b:00.1', label: 'VF', held: true }]
    expect(groups('3b:00', { devices })[0]?.entries).toMatchObject([
      { hint: 'VF, held, on std-01', action: { do: 'go', href: '/hosts/h-1?unit=pci%3A0000%3A3b%3A00.1' } },
    ])
  })
  it('lists unnamed objects by id, and saved views by name', () => {
    const records = [{ noun: 'finding', id: 'f0f0f0f0-1', name: 'orphan-claim' }] as const
    const views = [{ id: 'v', name: 'Silent hosts', path: '/hosts', query: 'q=status%3Adown' }]
    const entries = groups('f0f0f0f0', { records, views }).flatMap((group) => group.entries)
    expect(entries.map(({ action }) => action)).toEqual([
      { do: 'go', href: '/heal?finding=f0f0f0f0-1' },
      { do: 'go', href: '/hosts?q=status%3Adown' },
    ])
  })
  it('lists no two entries with the same id', () => {
    const all = groups('e', { instances: [instance('a')], hosts: [host], migrations: [migration] })
    const ids = all.flatMap(({ entries }) => entries.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })
})
