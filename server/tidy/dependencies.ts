import { builtinModules } from 'node:module'
import { DEPENDENCIES_BY_NAME } from './law'
import type { Source } from './source'

// package.json lists exactly the packages that the code imports. An import of a transitive dependency breaks when the
// package that brings it changes; a listed package without an import is installed and updated for nothing.

const isBuiltin = (name: string) => name.startsWith('node:') || builtinModules.includes(name)

/** The package of an import, `@scope/name` or `name`; null for the project's own files and Node's modules. */
export function packageOf(from: string): string | null {
  if (/^([./]|@\/)/.test(from) || isBuiltin(from)) return null
  const [first = '', second = ''] = from.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

/** Packages that a style sheet imports or uses as a plug-in. */
export const packagesOfStyles = (text: string): readonly string[] =>
  [...text.matchAll(/^@(?:import|plugin)\s+["']([^"']+)["']/gm)].flatMap(([, from = '']) => packageOf(from) ?? [])

export interface Dependencies {
  readonly listed: readonly string[]
  readonly sources: readonly Pick<Source, 'path' | 'imports'>[]
  readonly styles: readonly string[]
}

/** One sentence for each package that is imported and not listed, and for each that is listed and not used. */
export function checkDependencies({ listed, sources, styles }: Dependencies): readonly string[] {
  const users = new Map<string, string>()
  for (const source of sources) {
    for (const { from } of source.imports) {
      const name = packageOf(from)
      if (name) users.set(name, source.path)
    }
  }
  const used = new Set([...users.keys(), ...styles.flatMap(packagesOfStyles)])
  const isUsed = (name: string) => used.has(name) || Object.hasOwn(DEPENDENCIES_BY_NAME, name) || isTypesOf(name, used)
  return [
    ...[...users]
      .filter(([name]) => !listed.includes(name))
      .map(
        ([name, file]) => `${file} imports ${name}, which package.json does not list: list it with an exact version.`,
      ),
    ...listed
      .filter((name) => !isUsed(name))
      .map((name) => `${name} is listed and imported nowhere: remove it, or say in DEPENDENCIES_BY_NAME who needs it.`),
    ...Object.keys(DEPENDENCIES_BY_NAME)
      .filter((name) => used.has(name) || !listed.includes(name))
      .map((name) => `DEPENDENCIES_BY_NAME names ${name}, which is imported or not listed: take it out.`),
  ]
}

/** `@types/x` is used if x is imported; `@types/node` always is. */
function isTypesOf(name: string, used: ReadonlySet<string>): boolean {
  const [, typed] = /^@types\/(.+)$/.exec(name) ?? []
  return typed === 'node' || (typed !== undefined && used.has(typed))
}
