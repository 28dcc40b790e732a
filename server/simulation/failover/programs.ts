import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

/** Absolute paths of the programs of a highly available PostgreSQL, as Debian's packages install them. */
export interface Programs {
  readonly etcd: string
  readonly patroni: string
  readonly haproxy: string
  readonly pgbouncer: string
  /** The folder of PostgreSQL's own programs: Patroni also needs pg_basebackup and pg_rewind. */
  readonly postgresql: string
}

const PLACES = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']
const POSTGRESQL = '/usr/lib/postgresql'
const PACKAGES = 'patroni python3-etcd etcd-server haproxy pgbouncer postgresql'

/** The installed programs, or a sentence that names what is missing. */
export function findPrograms(): Programs | string {
  const at = (name: string) => PLACES.map((place) => `${place}/${name}`).find((file) => fs.existsSync(file))
  const [etcd, patroni, haproxy, pgbouncer] = [at('etcd'), at('patroni'), at('haproxy'), at('pgbouncer')]
  const postgresql = newestPostgresql()
  if (!etcd || !patroni || !haproxy || !pgbouncer || !postgresql) {
    const found = { etcd, patroni, haproxy, pgbouncer, postgresql }
    const missing = Object.entries(found).flatMap(([name, path]) => (path ? [] : [name]))
    return `Not installed: ${missing.join(', ')}. Install the Debian packages ${PACKAGES}.`
  }
  try {
    execFileSync('unshare', [...NODE_NAMESPACES, 'true'], { stdio: 'ignore' })
  } catch {
    return 'The kernel does not permit user, PID and mount namespaces, and each node needs its own.'
  }
  return { etcd, patroni, haproxy, pgbouncer, postgresql }
}

function newestPostgresql(): string | undefined {
  const own = process.env.BERTH_POSTGRES_BIN
  if (own) return own
  const versions = fs.existsSync(POSTGRESQL) ? fs.readdirSync(POSTGRESQL) : []
  const usable = versions.filter((version) => fs.existsSync(`${POSTGRESQL}/${version}/bin/pg_rewind`))
  const newest = usable.sort((a, b) => Number(b) - Number(a))[0]
  return newest && `${POSTGRESQL}/${newest}/bin`
}

const USER_NAMESPACE = ['--user', '--map-user=65534', '--map-group=65534'] // PostgreSQL and PgBouncer refuse to run as root

/** With a PID namespace, killing its first process kills the whole node at once. */
export const NODE_NAMESPACES = [...USER_NAMESPACE, '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL']
