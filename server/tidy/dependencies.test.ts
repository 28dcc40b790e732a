import { describe, expect, test } from 'vitest'
import { checkDependencies, packageOf, packagesOfStyles } from './dependencies'
import { everySource, files, readText } from './house'
import { DEPENDENCIES_BY_NAME } from './law'
import { readSource } from './source'

const { dependencies, devDependencies } = JSON.parse(readText('package.json'))
const listed = Object.keys({ ...dependencies, ...devDependencies })
const styles = files.filter((file) => file.endsWith('.css')).map(readText)

test('package.json lists exactly the packages that the code imports', () => {
  expect(checkDependencies({ listed, sources: everySource, styles })).toEqual([])
})

describe('a package', () => {
  test.each([
    ['zod', 'zod'],
    ['next/server', 'next'],
    ['@trpc/server/adapters/fetch', '@trpc/server'],
    ['@/server/wiring', null],
    ['./law', null],
    ['node:fs', null],
    ['fs', null],
  ])('is recognized in %s', (from, name) => {
    expect(packageOf(from)).toBe(name)
  })

  test('is recognized in a style sheet', () => {
    const text = '@import "tailwindcss";\n@import "./own.css";\n@plugin "some-plugin";\n'
    expect(packagesOfStyles(text)).toEqual(['tailwindcss', 'some-plugin'])
  })

  const byName = Object.keys(DEPENDENCIES_BY_NAME)
  const check = (text: string, names: readonly string[]) =>
    checkDependencies({ listed: [...byName, ...names], sources: [readSource('server/a.ts', text)], styles: [] })

  test.each([
    [`import { z } from 'zod'`, ['zod'], 0],
    [`import { z } from 'zod'`, [], 1],
    [`const a = require('zod')`, [], 1],
    [`const a = require.resolve('zod')`, [], 1],
    ['', ['zod'], 1],
    [`import pg from 'pg'`, ['pg', '@types/pg'], 0],
    ['', ['@types/pg'], 1],
  ])('%s with %s listed breaks the law %i times', (text, names, count) => {
    expect(check(text, names)).toHaveLength(count)
  })

  test('that is listed by name and imported must leave that list', () => {
    expect(check(`import '${byName[0]}'`, [])).toHaveLength(1)
  })
})
