// Finds a Chromium for Playwright and downloads nothing. In this order: CHROMIUM_PATH, Playwright's own when somebody
// installed it, the system's, and the one inside the npm package @sparticuz/chromium (Linux x64).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const require = createRequire(import.meta.url)
const root = path.join(import.meta.dirname, '../..')
const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage']
// It has no graphics card to itself anywhere: emulating one took a third of all the time that the browser tests take.
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

// The package unpacks under fixed names into the temporary folder and takes whatever version lies there already, hence
// a folder of its own. Told that it is on Lambda, it also unpacks the system libraries a bare machine lacks.
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

// Without a font text has no size, and Playwright takes all of it for hidden. One set of fonts everywhere also makes
// screenshots the same everywhere.
function fontsConfig(home) {
  return [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${home}/fonts</dir><cachedir>${home}/fonts-cache</cachedir></fontconfig>`,
  ].join('\n')
}

/** The system's libraries where they suffice, and the unpacked ones where they do not. */
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
