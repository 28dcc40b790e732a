import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

// What a real Keystone, Nova and Placement need of this machine: Debian's packages, and root for its MariaDB.

const PYTHON = '/usr/bin/python3'
const PROGRAMS: Readonly<Record<string, string>> = {
  '/usr/sbin/mariadbd': 'mariadb-server',
  '/usr/lib/rabbitmq/lib': 'rabbitmq-server',
  '/usr/bin/uwsgi_python3': 'uwsgi-plugin-python3',
}
const MODULES = ['nova', 'keystone', 'placement']

/** Null: it can be started. */
export function whyNoCloud(): string | null {
  if (process.getuid?.() !== 0) return 'a MariaDB of its own is started as root'
  const missing = Object.entries(PROGRAMS).flatMap(([file, of]) => (fs.existsSync(file) ? [] : [of]))
  if (missing.length > 0) return `not installed: ${missing.join(', ')}`
  const { status, stderr } = spawnSync(PYTHON, ['-c', `import ${MODULES.join(', ')}`], { encoding: 'utf8' })
  const last = stderr.trim().split('\n').at(-1) ?? ''
  return status === 0 ? null : `${MODULES.map((name) => `python3-${name}`).join(', ')}: ${last}`
}
