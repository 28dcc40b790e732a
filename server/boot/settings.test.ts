import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { files, readText } from '../tidy/house'
import { SETTINGS, settingsOf } from './settings'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-settings-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const written = (text: string) => {
  const file = path.join(folder, 'berth.conf')
  fs.writeFileSync(file, text)
  return file
}

describe('a settings file', () => {
  test('supplies what the environment lacks', () => {
    const BERTH_CONFIG = written('# where it listens\nPORT=8080\nHOST="0.0.0.0"\nBERTH_LOG=\n')
    expect(settingsOf({ BERTH_CONFIG, PORT: '9090', HOST: '' })).toEqual({ HOST: '0.0.0.0' })
  })

  test('gets one message with all mistakes and no values', () => {
    const BERTH_CONFIG = written('PORT=eighty\nBERTH_ALARMS_WEBHOOK_URL=https://x.test\nBERTH_SECRET=short-secret\n')
    const message = errorOf({ BERTH_CONFIG, BERTH_URL: 'berth.example' })
    expect(message).toContain('PORT: expected a port')
    expect(message).toContain('BERTH_SECRET: expected at least 32 characters')
    expect(message).toContain('BERTH_URL: expected an address that begins with https:// or http://')
    expect(message).toContain('BERTH_ALARMS_WEBHOOK_URL: there is no such setting; is BERTH_ALARM_WEBHOOK_URL meant')
    expect(message).not.toContain('short-secret')
  })

  test('with a line that is no setting names the place and not the line, which may be a secret', () => {
    const message = errorOf({ BERTH_CONFIG: written('PORT=8080\nhunter2\nHOST=::1\n') })
    expect(message).toContain('the line before HOST: expected NAME=value.')
    expect(message).not.toContain('hunter2')
  })

  test('that does not exist is named', () => {
    expect(errorOf({ BERTH_CONFIG: '/nowhere/berth.conf' })).toContain(
      '/nowhere/berth.conf, which cannot be read (ENOENT)',
    )
  })
})

test('settings are empty by default', () => expect(settingsOf({})).toEqual({}))

function errorOf(env: Record<string, string>): string {
  try {
    settingsOf(env)
  } catch (error) {
    return String(error)
  }
  return 'no error'
}

/** Variables of tests, tools and other programs, not settings of a server. */
const NO_SETTINGS =
  /^BERTH_(CONFIG|CAPTURES|FUZZ.*|GENERATION_RUNS|LEDGER_.*|LINE_RUNS|LOCALE|OWNER_.*|RUNS|TEST_.*|TOKEN)$/

test('the table has every setting that the server reads, and README.md has every row of it', () => {
  const read = files
    .filter((file) => /^(server|app)\/.*\.tsx?$/.test(file) && !/\.(test|rig)\.|\/testing\//.test(file))
    .flatMap((file) => readText(file).match(/\b(BERTH|OS)_[A-Z]+(_[A-Z]+)*\b/g) ?? [])
  const unknown = new Set(read.filter((name) => !Object.hasOwn(SETTINGS, name) && !NO_SETTINGS.test(name)))
  expect([...unknown].filter((name) => name.startsWith('BERTH_'))).toEqual([])
  const readme = readText('README.md')
  expect(Object.keys(SETTINGS).filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})

test.each(['deploy/compose/compose.yaml', 'deploy/helm/berth/values.yaml', 'deploy/berth.conf'])(
  '%s names only existing settings',
  (file) => {
    const named = readText(file).match(/\b(BERTH|OS)_[A-Z_]+\b/g) ?? []
    expect(named.filter((name) => !Object.hasOwn(SETTINGS, name) && name !== 'BERTH_CONFIG')).toEqual([])
  },
)
