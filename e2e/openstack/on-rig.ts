import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { OPENSTACK_PORT } from '../address'
import { OwnServer } from '../server'
import { ADMIN, signIn } from '../users'
import { HYPERVISORS, KEYSTONE, NOTIFICATIONS_YAML, PASSWORD, socketFolder } from './config'
import { type Computes, type Rig, startRig } from './rig'

// The rig, a separate Berth and a browser, started once for all tests.

// The rig needs Debian's packages, and root for MariaDB.
const PYTHON = '/usr/bin/python3'
const PROGRAMS: Readonly<Record<string, string>> = {
  '/usr/sbin/mariadbd': 'mariadb-server',
  '/usr/lib/rabbitmq/lib': 'rabbitmq-server',
  '/usr/bin/uwsgi_python3': 'uwsgi-plugin-python3',
}
const MODULES = ['nova', 'keystone', 'placement']

function whyNoCloud(): string | null {
  if (process.getuid?.() !== 0) return 'a MariaDB of its own is started as root'
  const missing = Object.entries(PROGRAMS).flatMap(([file, of]) => (fs.existsSync(file) ? [] : [of]))
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`
  return whyNoModules(MODULES)
}

/** Null: Debian's Python has these modules. */
export function whyNoModules(modules: readonly string[]): string | null {
  const { status, stderr } = spawnSync(PYTHON, ['-c', `import ${modules.join(', ')}`], { encoding: 'utf8' })
  const last = stderr.trim().split('\n').at(-1) ?? ''
  return status === 0 ? null : `${modules.map((name) => `python3-${name}`).join(', ')}: ${last}`
}

/** Null: this machine can run the rig. */
export const whySkipped = whyNoCloud()
if (whySkipped !== null) console.log(`skipped: ${whySkipped}`)

/** The role `admin` in the project `service` maps to the role `operator` in Berth. */
const KEYSTONE_USERS = {
  BERTH_KEYSTONE_SIGN_IN_URL: KEYSTONE,
  BERTH_KEYSTONE_SIGN_IN_NAME: 'Example cloud',
  BERTH_KEYSTONE_SIGN_IN_PROJECT: 'service',
  BERTH_KEYSTONE_SIGN_IN_ROLES: 'admin=operator',
}

/** The first start on a machine creates the databases. */
const RIG_LIMIT_MS = 600_000

/** Lets Nova authenticate at Berth's Placement API. */
const KEYSTONE_TOKENS = {
  ...{ BERTH_PLACEMENT_AUTH: 'keystone', OS_AUTH_URL: KEYSTONE, OS_USERNAME: 'placement', OS_PASSWORD: PASSWORD },
}

interface Stand {
  readonly rig: Rig
  /** Signed in as admin. */
  readonly page: Page
  /** Origin of Berth. */
  readonly origin: string
  /** Writes all logs so far to a folder. */
  keepLogs(folder: string): void
}

export interface OnRig {
  /** Set by the Playwright project. */
  readonly computes: Computes
  readonly stand: Stand
}

export const test = base.extend<{ readonly kept: undefined }, OnRig>({
  computes: ['fake', { option: true, scope: 'worker' }],
  stand: [
    async ({ browser, computes }, use, { project }) => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nova-'))
      const sockets = HYPERVISORS.map((host) => socketFolder(folder, host)).join(path.delimiter)
      const witnesses = { LIBVIRT_PATHS: sockets }
      const notifications = path.join(folder, 'notifications.yaml')
      fs.writeFileSync(notifications, NOTIFICATIONS_YAML)
      const berth = new OwnServer(OPENSTACK_PORT, {
        ...{ BERTH_DEMO: 'no', ...KEYSTONE_TOKENS, ...KEYSTONE_USERS, ...witnesses },
        BERTH_NOTIFICATIONS_FILE: notifications,
      })
      const onFailure = path.join(project.outputDir, 'rig-that-did-not-start')
      const rig = startRig({ folder, computes, onFailure })
      const [started, ready] = await Promise.allSettled([rig, berth.startAnew()])
      try {
        if (started.status === 'rejected') throw started.reason
        if (ready.status === 'rejected') throw ready.reason
        const context = await browser.newContext({ baseURL: berth.origin, viewport: { width: 1920, height: 1080 } })
        await signIn(context.request, ADMIN)
        const keepLogs = (folder: string) => {
          started.value.keepLogs(folder)
          fs.writeFileSync(path.join(folder, 'berth.log'), berth.output())
        }
        await use({ rig: started.value, page: await context.newPage(), origin: berth.origin, keepLogs })
        await context.close()
      } finally {
        await berth.stop()
        if (started.status === 'fulfilled') await started.value.down()
      }
    },
    { scope: 'worker', timeout: RIG_LIMIT_MS },
  ],
  /** The folder of the rig is removed with it, so a failed test keeps the logs beside its screenshot. */
  kept: [
    async ({ stand }, use, info) => {
      await use(undefined)
      if (info.status !== info.expectedStatus) stand.keepLogs(info.outputPath('logs'))
    },
    { auto: true },
  ],
})

export { expect }
