import path from 'node:path'
import { compile } from '@tailwindcss/node'
import { expect, test } from 'vitest'
import { files, readText } from './house'

// Tailwind passes over a class that it does not know and draws nothing: a misspelt variant is a focus or a hover that
// nobody sees. A word that names a utility behind variants is meant as a class, so it has to be one.

const STYLES = 'app/globals.css'
const PREFIXED = /(?<=^|[\s'"`])[^\s'"`]*:([^\s'"`:]+)(?=$|[\s'"`])/gm

const drawnFiles = files.filter((file) => /^(app|components)\/.+\.tsx?$/.test(file) && !file.includes('.test.'))

/** Whether Tailwind makes a rule of a class, with the theme and plugins of the console. */
async function classReader(): Promise<(name: string) => boolean> {
  const base = path.join(import.meta.dirname, '../..', path.dirname(STYLES))
  const { build } = await compile(readText(STYLES), { base, onDependency: () => undefined })
  const known = new Map<string, boolean>()
  let styles = build([])
  return (name) => {
    const before = styles
    styles = build([name]) // all rules so far, and the ones of this class
    known.set(name, known.get(name) ?? styles !== before)
    return known.get(name) === true
  }
}

test('every variant of a class comes from Tailwind or its plugins', async () => {
  const isClass = await classReader()
  const prefixed = drawnFiles.flatMap((file) =>
    [...readText(file).matchAll(PREFIXED)].map(([name, utility = '']) => ({ file, name, utility })),
  )
  const wrong = prefixed.filter(({ name, utility }) => isClass(utility) && !isClass(name))
  expect(wrong.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  expect(prefixed.filter(({ name }) => isClass(name)).length).toBeGreaterThan(50)
})

test.each([
  ['hover:bg-hover', true],
  ['hovered:bg-hover', false],
  ['focus-visible:outline-2', true],
  ['focussed:outline-2', false],
  ['max-lg:hidden', true],
])('%s is a class: %s', async (name, isOne) => {
  expect((await classReader())(name)).toBe(isOne)
})
