// Finds a Chromium for Playwright and downloads nothing. In this order: CHROMIUM_PATH, Playwright's own if it is
// installed, the system's, and the one inside the npm package @sparticuz/chromium (Linux x64).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const root = path.join(import.meta.dirname, '../..')
const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage']
// No machine has a graphics card for it: emulating one took a third of the time of the browser tests.
const NO_GRAPHICS_CARD = ['--disable-gpu']

/**
 * What Playwright's `launchOptions` need. Without `executablePath` Playwright uses its own browser.
 * @returns {{ executablePath?: string, args: string[], env?: Record<string, string>, how: string }}
 */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) return { executablePath: named, args: ARGS, how: 'CHROMIUM_PATH' }
  if (fs.existsSync(require('playwright-core').chromium.executablePath()))
    return { args: ARGS, how: "Playwright's own" }
  const installed = SYSTEM.find((file) => fs.existsSync(file))
  if (installed) return { executablePath: installed, args: ARGS, how: installed }
  if (process.platform === 'linux' && process.arch === 'x64') return findBundled()
  throw new Error('No Chromium found. Run `npx playwright install chromium`, or set CHROMIUM_PATH.')
}

function findBundled() {
  const { version } = readJson(path.join(root, 'node_modules/@sparticuz/chromium/package.json'))
  const home = path.join(root, '.data', `chromium-${version}`)
  if (!fs.existsSync(path.join(home, 'ok'))) unpack(home)
  const executablePath = path.join(home, 'chromium')
  return {
    executablePath,
    args: [...ARGS, ...NO_GRAPHICS_CARD],
    env: environment(home, executablePath),
    how: `@sparticuz/chromium ${version}`,
  }
}

// The package unpacks under fixed names into the temporary folder and keeps any version already there, hence a folder
// of its own. With the variables of Lambda set, it also unpacks system libraries that a bare machine lacks.
function unpack(home) {
  fs.rmSync(home, { recursive: true, force: true })
  fs.mkdirSync(home, { recursive: true })
  const entry = JSON.stringify(require.resolve('@sparticuz/chromium'))
  const script = `const m = await import(${entry}); await (m.default.default ?? m.default).executablePath()`
  const lambda = `nodejs${process.versions.node.split('.')[0]}.x`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: home, AWS_LAMBDA_JS_RUNTIME: lambda },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Cannot unpack @sparticuz/chromium: ${stderr}`)
  fs.writeFileSync(path.join(home, 'fonts.conf'), fontsConfig(home))
  fs.writeFileSync(path.join(home, 'ok'), '')
}

// Without a font, text has no size and Playwright treats it as hidden. One set of fonts also makes screenshots equal on
// every machine.
function fontsConfig(home) {
  return [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${home}/fonts</dir><cachedir>${home}/fonts-cache</cachedir></fontconfig>`,
  ].join('\n')
}

/** Prefers the system's libraries; falls back to the unpacked ones. */
function environment(home, executablePath) {
  const fonts = { FONTCONFIG_FILE: path.join(home, 'fonts.conf') }
  const bundled = { ...fonts, LD_LIBRARY_PATH: path.join(home, 'al2023', 'lib') }
  const env = [fonts, bundled].find((candidate) => starts(executablePath, candidate))
  if (!env) throw new Error('The bundled Chromium does not start here. Install chromium, or set CHROMIUM_PATH.')
  return env
}

function starts(executablePath, env) {
  return spawnSync(executablePath, ['--version'], { env: { ...process.env, ...env } }).status === 0
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'))
}
