import fs from 'node:fs'
import { type Entry, isEntry } from '../cloud/settings/clouds-file'
import { type Environment, type Note, noteUnknownKeys, readServerFile, secretIn } from '../cloud/settings/server-file'
import { LONGEST_FENCING_MS } from '../engine/fencing/fencing'
import type { HostFrame } from '../engine/host'
import { type CommandSettings, commandMethod } from './command'
import type { FencingMethod } from './method'
import { type RedfishSettings, redfishMethod } from './redfish'

// The file that BERTH_FENCING_FILE names: how each host is fenced. This cannot be set in the console or through the
// API. An error names file and key, and never the value.

export interface FencingFile {
  /** Null: no usable entry of the file matches this host. */
  methodFor(host: Pick<HostFrame, 'id' | 'name'>): FencingMethod | null
}

/** Throws with every mistake of the file. */
export function readFencing(file: string, environment: Environment): FencingFile {
  const about = { path: file, section: 'hosts', subject: 'how hosts are fenced', guide: 'docs/fencing.md' }
  const expected = 'expected names of hosts, and below each how it is fenced'
  const ways = readServerFile({ ...about, expected }, (entry, note, pattern) => {
    if (!isEntry(entry)) note('', 'expected how it is fenced: "redfish" or "command"')
    return { matches: matcherOf(pattern), way: wayOf(isEntry(entry) ? entry : {}, { note, environment }) }
  })
  return {
    methodFor: ({ id, name }) => {
      // The name is inserted into addresses and arguments, where anything but a host name could have another meaning.
      if (!HOST_NAME.test(name)) return null
      const fill: Fill = (template) =>
        template.replace(PLACEHOLDER, (_, key: Placeholder) => valuesOf({ id, name })[key])
      return ways.find(({ matches }) => matches.test(name))?.way?.(fill) ?? null
    },
  }
}

const HOST_NAME = /^[a-z0-9][a-z0-9._-]{0,252}$/i

const PLACEHOLDERS = ['host', 'short', 'id'] as const
type Placeholder = (typeof PLACEHOLDERS)[number]
type Fill = (template: string) => string
type MethodFactory = (fill: Fill) => FencingMethod
interface Reading {
  readonly note: Note
  readonly environment: Environment
}

const PLACEHOLDER = /\{(host|short|id)\}/g

const valuesOf = ({ id, name }: Pick<HostFrame, 'id' | 'name'>): Readonly<Record<Placeholder, string>> => ({
  ...{ host: name, short: name.split('.')[0] ?? name, id },
})

/** A name in which `*` stands for any characters. */
const matcherOf = (pattern: string) =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)

const [LEAST_S, DEFAULT_S, MOST_S] = [5, 90, LONGEST_FENCING_MS / 1000]

/** The deadline in ms, given in seconds. */
function deadlineOf({ deadline = DEFAULT_S }: Entry, note: Note): number {
  // Plain numbers in the file are read as texts, because a password may be one.
  const seconds = Number(deadline)
  if (seconds >= LEAST_S && seconds <= MOST_S) return seconds * 1000
  note('deadline', `expected seconds, ${LEAST_S} to ${MOST_S}`)
  return 0
}

function wayOf(entry: Entry, reading: Reading): MethodFactory | null {
  const [isRedfish, isCommand] = [entry.redfish !== undefined, entry.command !== undefined]
  if (isRedfish !== isCommand) return isRedfish ? redfishWay(entry, reading) : commandWay(entry, reading)
  reading.note('', 'expected either "redfish" or "command"')
  return null
}

const REDFISH_KEYS = ['redfish', 'system', 'username', 'password', 'cacert', 'verify', 'deadline']

function redfishWay(entry: Entry, { note, environment }: Reading): MethodFactory {
  noteUnknownKeys(REDFISH_KEYS, entry, note)
  const { redfish: address, system = null, username, cacert = null, verify = true } = entry
  const template = typeof address === 'string' ? checkedTemplate(address, 'redfish', note).replace(/\/+$/, '') : ''
  const example = template.replace(PLACEHOLDER, 'x')
  if (!URL.canParse(example) || !/^https?:\/\/[^/@?#]+$/.test(example))
    note('redfish', 'expected an address such as https://{host}-bmc.example, without user and path')
  if (!example.startsWith('https://') && !/^http:\/\/(127\.\d+\.\d+\.\d+|localhost)(:|$)/.test(example))
    note('redfish', 'expected https: the password would be sent in the clear')
  if (system !== null && typeof system !== 'string') note('system', 'expected the name of a system, as a text')
  if (typeof username !== 'string' || username.includes(':')) note('username', 'expected a text without a colon')
  if (typeof verify !== 'boolean') note('verify', 'expected true or false')
  if (cacert !== null && !(typeof cacert === 'string' && fs.existsSync(cacert)))
    note('cacert', 'expected a file that exists')
  const member = typeof system === 'string' ? checkedTemplate(system, 'system', note) : null
  const rest: Omit<RedfishSettings, 'address' | 'system'> = {
    username: typeof username === 'string' ? username : '',
    password: secretIn(entry.password, { key: 'password', note, environment }),
    tls: {
      verify: verify !== false,
      caPath: typeof cacert === 'string' ? cacert : null,
      certPath: null,
      keyPath: null,
    },
    deadlineMs: deadlineOf(entry, note),
  }
  return (fill) => redfishMethod({ ...rest, address: fill(template), system: member === null ? null : fill(member) })
}

const COMMAND_KEYS = ['command', 'status', 'environment', 'deadline']

function commandWay(entry: Entry, { note, environment }: Reading): MethodFactory {
  noteUnknownKeys(COMMAND_KEYS, entry, note)
  const command = wordsOf(entry.command, 'command', note)
  const status = entry.status === undefined ? null : wordsOf(entry.status, 'status', note)
  const handed = namesOf(entry.environment ?? [], environment, note)
  const rest: Pick<CommandSettings, 'environment' | 'deadlineMs'> = {
    ...{ environment: handed, deadlineMs: deadlineOf(entry, note) },
  }
  return (fill) => commandMethod({ ...rest, command: command.map(fill), status: status?.map(fill) ?? null })
}

/** A program and its arguments: each stays a single argument, whatever its placeholders stand for. */
function wordsOf(value: unknown, key: string, note: Note): readonly string[] {
  const words: readonly unknown[] = Array.isArray(value) ? value : []
  const texts = words.filter((word) => typeof word === 'string')
  const [program = ''] = texts
  if (texts.length === 0 || texts.length !== words.length)
    note(key, 'expected a list of texts: a program and its arguments')
  else if (!/^\/[^{}]+$/.test(program)) note(key, 'expected the whole path of a program first, without placeholders')
  return texts.map((word) => checkedTemplate(word, key, note))
}

function checkedTemplate(template: string, key: string, note: Note): string {
  const unknown = template.replace(PLACEHOLDER, '').match(/\{[a-z]+\}/gi) ?? []
  if (unknown.length > 0)
    note(key, `expected no placeholders but ${PLACEHOLDERS.map((each) => `{${each}}`).join(', ')}`)
  return template
}

function namesOf(value: unknown, environment: Environment, note: Note): Readonly<Record<string, string>> {
  const names: readonly unknown[] = Array.isArray(value) ? value : [null]
  const pairs = names.flatMap((name) => {
    const set = typeof name === 'string' ? environment[name] : undefined
    if (typeof name === 'string' && set !== undefined) return [[name, set] as const]
    note('environment', 'expected names of variables that are set')
    return []
  })
  return Object.fromEntries(pairs)
}
