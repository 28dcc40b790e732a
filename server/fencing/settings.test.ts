import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { HostId } from '../engine/words/ids'
import { readFencing } from './settings'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fencing-'))
fs.writeFileSync(path.join(folder, 'password'), 'from-a-file\n')
afterAll(() => fs.rmSync(folder, { recursive: true }))

const ID = '00000000-0000-4000-8000-000000000001' as HostId
const read = (text: string) => {
  const file = path.join(folder, 'fencing.yaml')
  fs.writeFileSync(file, text.replaceAll('FOLDER', folder))
  return readFencing(file, { BMC_PASSWORD: 'from-the-environment', EMPTY: '' })
}
const methodFor = (text: string, name: string) => read(text).methodFor({ id: ID, name })

const REDFISH = `
hosts:
  "hv*":
    redfish: https://{short}-bmc.example:8443/
    username: root
    password: { file: FOLDER/password }
    deadline: 30
  "*.rack2":
    redfish: https://127.0.0.1
    system: 1
    username: root
    password: { env: BMC_PASSWORD }
    verify: false
  rack3:
    command: [/usr/sbin/fence_ipmilan, --ip, "{host}-bmc", "--plug={id}", "{host} {host}"]
    status: [/usr/sbin/fence_ipmilan, -o, status]
    environment: [BMC_PASSWORD]
`

describe('the fencing file', () => {
  test('defines a method for each host, and the first matching name counts', () => {
    expect(methodFor(REDFISH, 'hv7.dc1.example')).toMatchObject({
      ...{ kind: 'redfish', where: 'https://hv7-bmc.example:8443', deadlineMs: 30_000 },
    })
    expect(methodFor(REDFISH, 'node.rack2')).toMatchObject({ where: 'https://127.0.0.1', deadlineMs: 90_000 })
    const command = methodFor(REDFISH, 'rack3')
    expect(command).toMatchObject({ kind: 'command', where: '/usr/sbin/fence_ipmilan' })
    expect(command?.readPower).not.toBeNull()
    expect(methodFor(REDFISH, 'rack3.other')).toBeNull()
  })

  test('never matches a host whose name could be misread', () => {
    for (const name of ['hv/../x', 'hv@evil.example', 'hv 1', '--force.rack2', 'hv#', 'hv?', '']) {
      expect(methodFor(REDFISH, name)).toBeNull()
    }
  })

  test.each([
    ['hosts: 3', 'hosts: expected names of hosts'],
    ['other: {}', 'other: there is no such key'],
    ['hosts: { a: { } }', 'hosts.a: expected either "redfish" or "command"'],
    ['hosts: { a: { command: [/bin/true], redfish: "https://x" } }', 'expected either "redfish" or "command"'],
    ['hosts: { a: { command: "rm -rf /" } }', 'hosts.a.command: expected a list of texts'],
    ['hosts: { a: { command: [reboot] } }', 'expected the whole path of a program first'],
    ['hosts: { a: { command: ["/bin/{host}"] } }', 'without placeholders'],
    ['hosts: { a: { command: [/bin/true, "{hosts}"] } }', 'expected no placeholders but {host}, {short}, {id}'],
    ['hosts: { a: { command: [/bin/true], shell: true } }', 'hosts.a.shell: there is no such key'],
    ['hosts: { a: { command: [/bin/true], environment: [NOT_SET] } }', 'expected names of variables that are set'],
    ['hosts: { a: { command: [/bin/true], deadline: 1 } }', 'hosts.a.deadline: expected seconds, 5 to 600'],
    ['hosts: { a: { redfish: "http://bmc", username: u, password: p } }', 'the password would be sent in the clear'],
    ['hosts: { a: { redfish: "https://u:p@bmc", username: u, password: p } }', 'without user and path'],
    ['hosts: { a: { redfish: "https://bmc/x", username: u, password: p } }', 'without user and path'],
    ['hosts: { a: { redfish: "https://bmc", username: u } }', 'hosts.a.password: expected a text'],
    [
      'hosts: { a: { redfish: "https://bmc", username: u, password: { env: EMPTY } } }',
      'expected a variable that is set',
    ],
    [
      'hosts: { a: { redfish: "https://bmc", username: u, password: { file: /nowhere } } }',
      'expected a file that exists',
    ],
    ['hosts: { a: { redfish: "https://bmc", username: "u:v", password: p } }', 'expected a text without a colon'],
    ['hosts: { a: { redfish: "https://bmc", username: u, password: p, cacert: /nowhere } }', 'hosts.a.cacert'],
    ['hosts: [', 'is not valid YAML'],
  ])('is refused with an explanation: %s', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  test('is refused without printing any of its values', () => {
    const text = 'hosts: { a: { redfish: "http://bmc", username: "u:v", password: opensesame, verify: opensesame } }'
    expect(() => read(text)).toThrow(/^(?![\s\S]*opensesame)[\s\S]*hosts\.a\.redfish[\s\S]*hosts\.a\.verify/)
  })
})

test('the host name stays within one argument, and the number of arguments is fixed', () => {
  const file = path.join(folder, 'words')
  fs.writeFileSync(file, '#!/bin/sh\nfor word in "$@"; do echo "[$word]"; done\n', { mode: 0o755 })
  const { methodFor: of } = read(`hosts: { "*": { command: ["${file}", "a-{host}", "{host}.{short}"] } }`)
  const name = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,30}$/)
  return fc.assert(
    fc.asyncProperty(name, async (host) => {
      const answer = await of({ id: ID, name: host })?.orderOff()
      expect(answer?.detail).toBe(`exit code 0: [a-${host}] | [${host}.${host.split('.')[0]}]`)
    }),
    { numRuns: 30 },
  )
})
