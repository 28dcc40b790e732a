import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries'

// PostgreSQL refuses to run as root, and containers and fresh machines often have nothing else. Three ways, tried in
// this order; each one is needed somewhere:
//   1. a user namespace: nothing is created and the files stay root's;
//   2. `setpriv` to an unprivileged account, where containers forbid namespaces;
//   3. the same with binaries and data copied to /var/lib, where that account cannot reach the checkout.

const execute = promisify(execFile)

/** How to run PostgreSQL's programs, and where its files must be for that. */
export interface Account {
  /** Prefix of each command. */
  readonly prefix: readonly string[]
  /** The owner that the directories need, if not this user. */
  readonly owner: { readonly uid: number; readonly gid: number } | null
  readonly binaries: Binaries
  readonly home: string
}

interface UnprivilegedUser {
  readonly prefix: readonly string[]
  readonly owner: { readonly uid: number; readonly gid: number }
}

/** Picks how this process can run PostgreSQL with its files in `home`. */
export async function chooseAccount(home: string, binaries: Binaries): Promise<Account> {
  if (process.getuid?.() !== 0) return { prefix: [], owner: null, binaries, home }

  const namespace = ['unshare', '--user', '--map-user=65534', '--map-group=65534']
  if (await succeeds([...namespace, 'true'])) return { prefix: namespace, owner: null, binaries, home }

  for (const name of ['postgres', 'nobody']) {
    const user = await findUser(name)
    if (user) return settle(user, home, binaries)
  }
  throw new Error('PostgreSQL cannot run as root here; start Berth as an ordinary user, or set DATABASE_URL.')
}

async function findUser(name: string): Promise<UnprivilegedUser | null> {
  try {
    const idOf = async (flag: string) => Number((await execute('id', [flag, name])).stdout)
    const [uid, gid] = await Promise.all([idOf('-u'), idOf('-g')])
    const prefix = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    return (await succeeds([...prefix, 'true'])) ? { prefix, owner: { uid, gid } } : null
  } catch {
    return null
  }
}

async function settle(user: UnprivilegedUser, home: string, binaries: Binaries): Promise<Account> {
  own(home, user)
  const reachable = await succeeds([...user.prefix, 'test', '-x', binaries.postgres, '-a', '-w', home])
  if (reachable) return { ...user, binaries, home }

  const moved = path.join('/var/lib', `berth-postgres-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`)
  own(moved, user)
  return { ...user, home: moved, binaries: await copyBinaries(binaries, moved) }
}

/** The copy's name contains the program's size and time, so that an upgrade is copied again. */
async function copyBinaries(binaries: Binaries, home: string): Promise<Binaries> {
  const { size, mtimeMs } = fs.statSync(binaries.postgres)
  const copy = path.join(home, `native-${size}-${Math.round(mtimeMs)}`)
  if (!fs.existsSync(copy)) {
    fs.rmSync(`${copy}.new`, { recursive: true, force: true })
    fs.cpSync(path.resolve(path.dirname(binaries.postgres), '..'), `${copy}.new`, {
      recursive: true,
      verbatimSymlinks: true,
    })
    await execute('chmod', ['-R', 'a+rX', `${copy}.new`])
    fs.renameSync(`${copy}.new`, copy)
  }
  const inCopy = (program: string) => path.join(copy, 'bin', path.basename(program))
  return {
    initdb: inCopy(binaries.initdb),
    pg_ctl: inCopy(binaries.pg_ctl),
    postgres: inCopy(binaries.postgres),
  }
}

function own(directory: string, { owner }: UnprivilegedUser): void {
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
  fs.chownSync(directory, owner.uid, owner.gid)
}

function succeeds([command = '', ...args]: readonly string[]): Promise<boolean> {
  return execute(command, args).then(
    () => true,
    () => false,
  )
}
