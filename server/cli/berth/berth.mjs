#!/usr/bin/env node
import { createRequire } from 'node:module'
import { register } from 'tsx/esm/api'

// The sources are TypeScript, also where the package is installed.
const { version } = createRequire(import.meta.url)('../../../package.json')
register()
const { runBerth } = await import('./main.ts')
process.exitCode = await runBerth(process.argv.slice(2), version)
