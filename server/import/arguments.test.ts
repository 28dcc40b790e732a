import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parseArguments } from './arguments'

it.each([
  ['host --connect unix:/s', { connect: 'unix:/s', client: 'rpc', session: false, apply: false, name: null }],
  [
    'host --connect tls:hv1 --pki /p --client virsh --name a --dedicated 2-3 --apply',
    { connect: 'tls:hv1', pki: '/p', client: 'virsh', name: 'a', dedicated: '2-3', apply: true },
  ],
  ['host --connect ssh:hv1 --key /k --session', { key: '/k', session: true }],
])('%s is parsed as an import from a daemon', (words, order) => {
  expect(parseArguments(words.split(' '))).toMatchObject({ ok: true, order: { what: 'hypervisor', ...order } })
})

it.each([
  ['host', /capabilities/],
  ['host --connect unix:/s caps.xml', /takes no files/],
  ['host caps.xml --apply', /require --connect/],
  ['host caps.xml --pki /p', /require --connect/],
  ['host --connect unix:/s --client ssh', /rpc or virsh/],
  ['host --connect unix:/s --frobnicate', /frobnicate/],
])('%s is refused with a reason', (words, why) => {
  expect(parseArguments(words.split(' '))).toEqual({ ok: false, why: expect.stringMatching(why) })
})

const guide = fs.readFileSync(path.join(import.meta.dirname, '../../docs/first-host.md'), 'utf8')
const found = (pattern: RegExp) => [...guide.matchAll(pattern)].map(([, text = '']) => text)
const calls = found(/npm run import -- (host [^`\n]+)/g)

it('the test finds the commands of the guide to the first host', () => expect(calls.length).toBeGreaterThan(3))

it.each(calls)('the command %s of the guide is valid', (call) => {
  expect(parseArguments(call.split(' '))).toMatchObject({ ok: true, order: { what: 'hypervisor' } })
})

it.each(found(/`(--[a-z][^`]*)`/g))('the option %s of the guide exists', (option) => {
  const answer = parseArguments(['host', '--connect', 'unix:/s', ...option.split(' ')])
  if (!answer.ok) expect(answer.why).not.toMatch(/unknown option|unexpected/i)
})

it.each(found(/^\| `([a-z][a-z-]*(?:=[A-Z_]+)?)` \|/gm))('the option --migration %s of the guide exists', (limit) => {
  const needed = limit.startsWith('postcopy-after') ? ['--migration', 'postcopy'] : []
  const control = ['--control', '--migration', limit.replace(/[A-Z_]+$/, '7'), ...needed]
  expect(parseArguments(['host', '--connect', 'unix:/s', ...control])).toMatchObject({ ok: true })
})

it('the demo takes a number of instances, also by its earlier name', () => {
  const demo = { ok: true, order: { what: 'demo', hosts: 3, instances: 9 } }
  expect(parseArguments(['demo', '--hosts', '3', '--instances', '9'])).toEqual(demo)
  expect(parseArguments(['demo', '--hosts', '3', '--guests', '9'])).toEqual(demo)
})
