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

const externalPackages: Plugin = {
  name: 'external packages',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' || BUNDLED.test(name) || name.startsWith('@/') ? null : { external: true },
    )
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
