import { expect, it } from 'vitest'
import { understand } from './arguments'

it.each([
  ['host --connect unix:/s', { connect: 'unix:/s', client: 'rpc', session: false, apply: false, name: null }],
  [
    'host --connect tls:hv1 --pki /p --client virsh --name a --dedicated 2-3 --apply',
    { connect: 'tls:hv1', pki: '/p', client: 'virsh', name: 'a', dedicated: '2-3', apply: true },
  ],
  ['host --connect ssh:hv1 --key /k --session', { key: '/k', session: true }],
])('%s asks a host itself', (words, order) => {
  expect(understand(words.split(' '))).toMatchObject({ ok: true, order: { what: 'hypervisor', ...order } })
})

it.each([
  ['host', /capabilities/],
  ['host --connect unix:/s caps.xml', /takes no files/],
  ['host caps.xml --apply', /without --connect/],
  ['host caps.xml --pki /p', /without --connect/],
  ['host --connect unix:/s --client ssh', /rpc or virsh/],
  ['host --connect unix:/s --frobnicate', /frobnicate/],
])('%s is a wrong call that says why', (words, why) => {
  expect(understand(words.split(' '))).toEqual({ ok: false, why: expect.stringMatching(why) })
})
