import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'

// The server as few files that Node reads without a loader, in generated/server: compiling 750 modules was most of what
// a start took. Packages stay where npm put them. `npm run dev` and the tests read the sources.

const ROOT = path.join(import.meta.dirname, '../..')
const OUT = path.join(ROOT, 'generated/server')

/** A module that names files beside it (migrations, the entry of a thread) must find them where its source is. */
const sourcePaths: Plugin = {
  name: 'source paths',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, 'utf8')
      const at = (place: string) => `new URL(${JSON.stringify(path.relative(OUT, place))}, import.meta.url)`
      const contents = source.replaceAll(/import\.meta\.(url|dirname)\b/g, (_, property) =>
        property === 'url' ? `${at(file)}.href` : `decodeURIComponent(${at(path.dirname(file))}.pathname)`,
      )
      return { contents, loader: 'ts' }
    })
  },
}

/** Packages of hundreds of small modules, which Node would look up and read one by one. */
const BUNDLED = /^(@better-auth|@simplewebauthn|better-auth|better-call|fast-xml-parser|jose|kysely|zod)(\/|$)/

const RESOLVED = Symbol('resolved by this plugin')

/**
 * What a bundled package imports from outside the bundle is resolved from the root of node_modules at run time. A
 * version that npm put below that package would silently be replaced, so the build fails.
 */
const externalPackages: Plugin = {
  name: 'external packages',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^[^./]/ }, async ({ path: name, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === RESOLVED || kind === 'entry-point' || BUNDLED.test(name) || name.startsWith('@/')) return null
      if (!importer.includes('node_modules')) return { external: true }
      const from = (folder: string) => resolve(name, { resolveDir: folder, kind, pluginData: RESOLVED })
      const [own, root] = await Promise.all([from(resolveDir), from(ROOT)])
      if (own.path === root.path) return { external: true }
      const text = `${name} of ${path.relative(ROOT, importer)} is another version than the root's; add it to BUNDLED`
      return { errors: [{ text }] }
    })
  },
}

await rm(OUT, { recursive: true, force: true })
await build({
  absWorkingDir: ROOT,
  entryPoints: ['server/boot/main.ts', 'server/boot/e2e-main.ts'],
  outdir: OUT,
  outExtension: { '.js': '.mjs' },
  ...{ bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node20' },
  plugins: [sourcePaths, externalPackages],
  logLevel: 'warning',
})
