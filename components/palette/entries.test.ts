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
const move: FoundMigration = {
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

describe('a verb typed first', () => {
  it.each([
    ['confirm web-1', { verb: 'confirm', sought: 'web-1' }],
    ['conf web-1', { verb: 'conf', sought: 'web-1' }],
    ['Live web', { verb: 'live', sought: 'web' }],
    ['confirm', { verb: null, sought: 'confirm' }],
    ['web 1', { verb: null, sought: 'web 1' }],
    ['co web', { verb: null, sought: 'co web' }],
  ])('%s', (text, expected) => expect(readRequest(text)).toEqual(expected))
})

describe('the palette lists', () => {
  it('pages and actions before anything is typed', () => {
    expect(labels('')).toEqual(expect.arrayContaining(['Overview', 'Hosts', 'Build instance', 'Sign out']))
  })
  it('pages by their name, and times in the other zone', () => {
    expect(labels('inst')).toEqual(['Instances', 'Build instance'])
    expect(labels('local')).toEqual(['Show times in local time'])
  })
  it('things in groups, then what can be done with the best of them', () => {
    const found = groups('web', { instances: [instance('web'), instance('web-2')], migrations: [move] })
    expect(found.map(({ name }) => name)).toEqual(['instance', 'migration', 'action'])
    const actions = found.at(-1)!.entries.map(({ label }) => label)
    expect(actions).toContain('Live-migrate web')
    expect(actions).toContain('Confirm web')
    expect(actions).not.toContain('Live-migrate web-2')
  })
  it('with a verb that verb alone, for all that was found, and first', () => {
    const found = groups('live web', { instances: [instance('web'), instance('web-2')], hosts: [host] })
    expect(found[0]).toMatchObject({
      name: 'action',
      entries: [{ label: 'Live-migrate web' }, { label: 'Live-migrate web-2' }],
    })
  })
  it('trees that Nova keeps, which have a page of their own', () => {
    const found = groups('cmp', { trees: [{ id: 't-1', name: 'cmp-1' }] })
    expect(found.find(({ name }) => name === 'tree')?.entries).toMatchObject([
      {
        label: 'cmp-1',
        hint: expect.stringContaining('managed by Nova'),
        action: { do: 'go', href: '/providers/t-1' },
      },
    ])
  })
  it('what is not permitted too, with the reason', () => {
    const [actions] = groups('live web', { instances: [instance('web', NO)] })
    expect(actions?.entries).toMatchObject([{ label: 'Live-migrate web', disabledReason: 'It is moving already.' }])
    const own = groups('build', {}, NO).at(-1)
    expect(own?.entries).toMatchObject([{ label: 'Build instance', disabledReason: 'It is moving already.' }])
  })
  it('the ways to empty a host, by their verb, where they begin, and why not', () => {
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
  it('no requested actions for a migration that has ended', () => {
    expect(labels('confirm web', { migrations: [{ ...move, outcome: 'completed' }] })).not.toContain('Confirm web')
  })
  it('a device with its host, as the address of its place', () => {
    const devices = [{ host: { id: 'h-1', name: 'std-01' }, unit: 'pci:0000:3b:00.1', label: 'VF', held: true }]
    expect(groups('3b:00', { devices })[0]?.entries).toMatchObject([
      { hint: 'VF, held, on std-01', action: { do: 'go', href: '/hosts/h-1?unit=pci%3A0000%3A3b%3A00.1' } },
    ])
  })
  it('what has no name by its id, and saved views by their name', () => {
    const records = [{ noun: 'finding', id: 'f0f0f0f0-1', name: 'orphan-claim' }] as const
    const views = [{ id: 'v', name: 'Silent hosts', path: '/hosts', query: 'q=status%3Adown' }]
    const entries = groups('f0f0f0f0', { records, views }).flatMap((group) => group.entries)
    expect(entries.map(({ action }) => action)).toEqual([
      { do: 'go', href: '/heal?finding=f0f0f0f0-1' },
      { do: 'go', href: '/hosts?q=status%3Adown' },
    ])
  })
  it('no two entries under one id', () => {
    const all = groups('e', { instances: [instance('a')], hosts: [host], migrations: [move] })
    const ids = all.flatMap(({ entries }) => entries.map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })
})
