import { describe, expect, test } from 'vitest'
import { edgesBy } from './graph'
import { everySource, files, readText } from './house'
import { nodesIn, treeOf } from './tree'

// `npm start` builds the console and the server if an input of their build has changed. After a change to a file that a
// build reads but no input names, the old program would run.

const steps = nodesIn(treeOf('setup.mjs', readText('server/boot/setup.mjs')).program)

function inputsOf(name: string): readonly string[] {
  const step = steps.find(
    ({ type, properties }) =>
      type === 'ObjectExpression' &&
      properties.some((each: { value?: { value: string } }) => each.value?.value === name),
  )
  const named = step?.properties.find((each: { key: { name: string } }) => each.key.name === 'inputs').value.elements
  return named.map((each: { value: string }) => each.value)
}

const isIn = (file: string) => (input: string) => file === input || file.startsWith(`${input}/`)

/** Files that Next, TypeScript and PostCSS find by name at the root. */
const BY_NAME =
  /^((next|postcss|tailwind)\.config\.\w+|(proxy|middleware|instrumentation(-client)?|mdx-components)\.\w+|tsconfig\.json|(app|pages|public)\/.+)$/
const GENERATED = /^generated\/|\.test\.tsx?$/

/** As listed in server/boot/bundle.ts. */
const ENTRIES = (readText('server/boot/bundle.ts').match(/'server\/[\w/-]+\.ts'/g) ?? []).map((each) =>
  each.slice(1, -1),
)

const read = files.filter((file) => BY_NAME.test(file) && !GENERATED.test(file))

/** Every file that these import, directly or not, for values. Files that are loaded later are in the build too. */
function reachedFrom(entries: readonly string[]): ReadonlySet<string> {
  const edges = edgesBy('from', everySource)
  const reached = new Set<string>()
  const visit = (file: string): void => {
    if (reached.has(file)) return
    reached.add(file)
    for (const { to } of edges.get(file) ?? []) visit(to)
  }
  for (const entry of entries) visit(entry)
  return reached
}

const BUILDS = [
  { name: 'next build', entries: read, among: 'next.config.ts', rooms: ['lists', 'components', 'public'] },
  { name: 'server bundle', entries: ENTRIES, among: 'server/boot/main.ts', rooms: ['lists', 'forms', 'server/wiring'] },
]

describe.each(BUILDS)('the inputs of $name', ({ name, entries, among, rooms }) => {
  const inputs = inputsOf(name)
  const reached = [...reachedFrom(entries)]

  test('include every file that the build reads', () => {
    expect(reached).toContain(among)
    expect(reached.filter((file) => !inputs.some(isIn(file)) && !GENERATED.test(file))).toEqual([])
  })

  test('all exist', () => {
    expect(inputs.filter((input) => !files.some((file) => isIn(file)(input)))).toEqual([])
  })

  test.each(rooms)('include the room %s', (room) => {
    expect(reached.some((file) => file.startsWith(`${room}/`))).toBe(true)
  })
})
