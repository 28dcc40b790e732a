import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'prisma/config'

// Every Prisma command first looks for a native schema engine and downloads it when it is absent. Our stand-in speaks
// the same protocol over Prisma's own WebAssembly engine, so that the package registry is all a machine needs.
const engines = path.join(import.meta.dirname, 'node_modules/@prisma/engines')
const hasNativeEngine = existsSync(engines) && readdirSync(engines).some((file) => file.startsWith('schema-engine-'))
if (!hasNativeEngine) {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(import.meta.dirname, 'prisma/offline/schema-engine.mjs')
}

// `prisma generate` wants some URL and never connects. Commands that do connect run through `npm run db:*`, which
// start the embedded database first.
export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://postgres@localhost/none' },
})
