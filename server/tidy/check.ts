import path from 'node:path'
import {
  BANNED_WORDS,
  EMPTY_NAMES,
  IMPURE,
  isEmptyTypeName,
  LIMITS,
  MACHINE_CLOCK,
  PACKAGES,
  ROOMS,
  type Room,
  TEST_FILE,
  TEST_ROOMS,
} from './law'
import type { FunctionShape, Import, Source } from './source'

/** A violation of the house law, with a sentence that also says where the code belongs. */
export interface Breach {
  readonly path: string
  readonly line: number
  readonly rule: string
  readonly message: string
  /** Soft violations are reported, but do not fail the check. */
  readonly soft: boolean
}

type Rule = (source: Source, room: Room) => readonly Omit<Breach, 'path' | 'rule'>[]

const RULES: Readonly<Record<string, Rule>> = {
  rooms: checkRooms,
  drivers: checkDrivers,
  packages: checkPackages,
  client: checkClient,
  purity: checkPurity,
  clock: checkClock,
  size: checkSize,
  functions: checkFunctions,
  names: checkNames,
  words: checkWords,
  types: checkTypes,
  exports: checkExports,
  state: checkState,
  chance: checkChance,
}

/** Checks one file against all rules. */
export function checkSource(source: Source): Breach[] {
  const room = roomOf(source.path)
  if (!room) {
    const message = `${source.path} is in no room. Rooms are listed in server/tidy/law.ts; a new one needs a decision record.`
    return [{ path: source.path, line: 1, rule: 'rooms', message, soft: false }]
  }
  return Object.entries(RULES).flatMap(([rule, check]) =>
    check(source, room).map((breach) => ({ path: source.path, rule, ...breach })),
  )
}

const hard = (line: number, message: string) => ({ line, message, soft: false })
const isWithin = (place: string, room: string) => place === room || place.startsWith(`${room}/`)
const isTest = (file: string) => TEST_FILE.test(file)
const roomOf = (file: string): Room | undefined => ROOMS.find(({ path: room }) => isWithin(withoutEnding(file), room))
const withoutEnding = (file: string) => file.replace(/(\.(test|spec|contract))?\.(tsx?|mjs)$/, '')

/** The path of the imported file from the root; null for a package. */
function targetOf(source: Source, from: string): string | null {
  if (from.startsWith('@/')) return withoutEnding(from.slice(2))
  if (!from.startsWith('.')) return null
  return withoutEnding(path.posix.join(path.posix.dirname(source.path), from))
}

function checkRooms(source: Source, room: Room) {
  const extra = isTest(source.path) ? TEST_ROOMS : []
  return source.imports.flatMap((wanted) => {
    const target = targetOf(source, wanted.from)
    if (target === null || !/^(server|lists|forms|components|app|e2e|bench)\//.test(target)) return []
    const allowed = [room.path, ...room.imports, ...extra, ...(wanted.typeOnly ? (room.types ?? []) : [])]
    if (allowed.some((place) => isWithin(target, place))) return []
    return [hard(wanted.line, roomMessage(room, wanted, target))]
  })
}

function roomMessage(room: Room, wanted: Import, target: string): string {
  const typesOnly = !wanted.typeOnly && room.types?.some((place) => isWithin(target, place))
  if (typesOnly) return `${room.path} may take only types from ${target}: write \`import type\`, or pass the value in.`
  const own = roomOf(`${target}.ts`)
  const may = room.imports.length > 0 ? room.imports.join(', ') : 'no other room'
  const there = own ? ` What needs ${own.path} (${own.holds}) belongs there, or in a room that may import it.` : ''
  return `${room.path} holds ${room.holds} and may import ${may}; not ${target}.${there}`
}

/** Only a driver's own files may import its internals; all others use the driver interface. */
function checkDrivers(source: Source) {
  const mayChoose = [
    'server/wiring',
    'server/drivers/registry',
    'server/cli',
    'server/scenarios',
    'server/simulation',
    'bench',
  ]
  const place = withoutEnding(source.path)
  if (isTest(source.path) || mayChoose.some((room) => isWithin(place, room))) return []
  return source.imports.flatMap(({ from, line }) => {
    const [, driver] = /^(server\/drivers\/[^/]+)\/.+/.exec(targetOf(source, from) ?? '') ?? []
    if (!driver || isWithin(place, driver)) return []
    return [
      hard(line, `${from} is inside one driver. Speak to server/drivers/driver.ts, and get drivers from registry.ts.`),
    ]
  })
}

function checkPackages(source: Source, room: Room) {
  const testing = isTest(source.path)
  return source.imports.flatMap(({ from, line, typeOnly }) => {
    const name = targetOf(source, from) ?? from
    const rule = PACKAGES.find(({ match }) => match.test(name))
    const rooms: readonly string[] = [...(rule?.rooms ?? []), ...(testing && rule ? rule.testRooms : [])]
    if (rule && !rooms.some((place) => isWithin(room.path, place))) {
      return [hard(line, `${from} is not for ${room.path}. ${rule.instead}`)]
    }
    const leavesEngine = room.path === 'server/engine' && !testing && !typeOnly && targetOf(source, from) === null
    return leavesEngine ? [hard(line, `The engine imports no package; ${from} belongs to the room that calls it.`)] : []
  })
}

/** A value imported from the server into a client file would be sent to every browser. */
function checkClient(source: Source, room: Room) {
  if (!source.client || room.path.startsWith('server')) return []
  return source.imports.flatMap(({ from, line, typeOnly }) => {
    if (typeOnly || !targetOf(source, from)?.startsWith('server/')) return []
    return [
      hard(line, `A client component may not import a value from ${from}: ask the API for it, or \`import type\`.`),
    ]
  })
}

function checkPurity(source: Source, room: Room) {
  if (room.path !== 'server/engine' || isTest(source.path)) return []
  return source.uses.flatMap(({ name, line }) => {
    const instead = Object.hasOwn(IMPURE, name) ? IMPURE[name] : undefined
    return instead ? [hard(line, `The engine is pure and may not use ${name}: ${instead}.`)] : []
  })
}

function checkClock(source: Source, room: Room) {
  const { rooms, mayRead, uses } = MACHINE_CLOCK
  const testing = isTest(source.path) || /\/testing\//.test(source.path)
  if (!rooms.some((each) => each === room.path) || testing || isWithin(source.path, mayRead)) return []
  return source.uses
    .filter(({ name }) => uses.some((use) => use === name))
    .map(({ name, line }) =>
      hard(line, `${name} is this machine's clock, which may be wrong: take the time as an argument, from ${mayRead}.`),
    )
}

function checkSize(source: Source, room: Room) {
  const drawn = room.path.startsWith('components') && source.path.endsWith('.tsx') && !isTest(source.path)
  const kind = /\/page\.tsx$/.test(source.path) ? 'page' : drawn ? 'component' : 'file'
  const advice =
    kind === 'page' ? 'A page fetches and composes; the rest belongs in components/.' : 'Split it by subject.'
  return overLimit(source.lines, LIMITS[kind]).map(({ limit, soft }) => ({
    line: 1,
    soft,
    message: `This ${kind} has ${source.lines} lines; the limit is ${limit}. ${advice}`,
  }))
}

function overLimit(lines: number, { soft, hard }: { readonly soft: number; readonly hard: number }) {
  if (lines > hard) return [{ limit: hard, soft: false }]
  return lines > soft ? [{ limit: soft, soft: true }] : []
}

function checkFunctions(source: Source) {
  // A suite is a list of tests, not a function to be understood as a whole.
  const measured = source.functions.filter(({ name }) => !(isTest(source.path) && name.startsWith('describe')))
  return measured.flatMap((shape) => [...checkParameters(shape), ...checkLength(shape)])
}

function checkParameters({ name, line, parameters }: FunctionShape) {
  if (parameters <= LIMITS.parameters) return []
  return [hard(line, `${name} takes ${parameters} parameters; after ${LIMITS.parameters}, take one options object.`)]
}

function checkLength({ name, line, lines, drawsJsx }: FunctionShape) {
  return overLimit(lines, drawsJsx ? LIMITS.component : LIMITS.function).map(({ limit, soft }) => ({
    line,
    soft,
    message: `${name} has ${lines} lines; the limit is ${limit}. Name its parts and call them.`,
  }))
}

function checkNames(source: Source) {
  return source.path.split('/').flatMap((part) => {
    const bare = withoutEnding(part)
    const instead = Object.hasOwn(EMPTY_NAMES, bare) ? EMPTY_NAMES[bare] : undefined
    return instead ? [hard(1, `The name ${part} says nothing: ${instead}.`)] : []
  })
}

function checkWords(source: Source) {
  return source.declared.flatMap(({ name, line }) => {
    const banned = BANNED_WORDS.find(({ match }) => match.test(name))
    return banned ? [hard(line, `${name} is not our word; use ${banned.use} (docs/glossary.md).`)] : []
  })
}

function checkTypes(source: Source) {
  return source.types
    .filter(({ name }) => isEmptyTypeName(name))
    .map(({ name, line }) =>
      hard(line, `${name} does not say what the type describes; name it for the thing it holds.`),
    )
}

function checkExports(source: Source, room: Room) {
  if (source.defaultExport === null || room.path === 'app') return []
  return [hard(source.defaultExport, 'Default exports are for app/ only, where Next asks for them; export it by name.')]
}

function checkState(source: Source, room: Room) {
  const owns = ['server/wiring', 'server/boot', 'server/cli'].includes(room.path)
  if (!room.path.startsWith('server/') || owns || isTest(source.path)) return []
  return source.mutable.map(({ name, line }) =>
    hard(line, `${name} is state of a module. State is made in server/wiring.ts and passed in.`),
  )
}

function checkChance(source: Source) {
  const instead = 'hand in an example of it, or count on a sample that a seed draws (H5).'
  return source.chances.map((line) => hard(line, `What random runs reached is left to chance: ${instead}`))
}
