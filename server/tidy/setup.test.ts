import { describe, expect, test } from 'vitest'
import { edgesBy } from './graph'
import { everySource, files, readText } from './house'
import { nodesIn, treeOf } from './tree'

// `npm start` builds the console when an input of the build has changed. A file that the build reads and that no input
// names would be changed without a new build, and the old console would be served.

const step = nodesIn(treeOf('setup.mjs', readText('server/boot/setup.mjs')).program).find(
  ({ type, properties }) =>
    type === 'ObjectExpression' &&
    properties.some((each: { value?: { value: string } }) => each.value?.value === 'next build'),
)
const named = step?.properties.find((each: { key: { name: string } }) => each.key.name === 'inputs').value.elements
const inputs: readonly string[] = named.map((each: { value: string }) => each.value)

const isInput = (file: string) => inputs.some((input) => file === input || file.startsWith(`${input}/`))

/** What Next, TypeScript and PostCSS look for at the root by its name. */
const BY_NAME =
  /^((next|postcss|tailwind)\.config\.\w+|(proxy|middleware|instrumentation(-client)?|mdx-components)\.\w+|tsconfig\.json|(app|pages|public)\/.+)$/
const GENERATED = /^generated\/|\.test\.tsx?$/

const read = files.filter((file) => BY_NAME.test(file) && !GENERATED.test(file))

/** Every file that is imported from there on, by values; what is loaded later is in the build too. */
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

describe('the inputs of the console’s build', () => {
  test('name every file that the build reads', () => {
    expect(read).toContain('next.config.ts')
    const forgotten = [...reachedFrom(read)].filter((file) => !isInput(file) && !GENERATED.test(file))
    expect(forgotten).toEqual([])
  })

  test('are all there', () => {
    expect(inputs.filter((input) => !files.some((file) => file === input || file.startsWith(`${input}/`)))).toEqual([])
  })

  test.each(['lists', 'components', 'public'])('would be noticed to lack %s', (room) => {
    expect([...reachedFrom(read)].some((file) => file.startsWith(`${room}/`))).toBe(true)
  })
})
