import type { Database } from '../../store/database/database'
import { appRouter } from '../router'

// Every write of every test of the API is held to the audit log: what answered without an error left an entry with its
// request, or is named here with why it has none.

/** Mutations that change nothing of their own, or may answer that there was nothing to change. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'finding.audit': 'reads everything again; what it finds is in the findings',
  'heal.plan': 'a plan is a draft: applying it is the write',
  'simulator.fault': 'a fault of the simulated hypervisor; nothing of the records changes by it',
  'migration.requestAction': 'each migration answers for itself, and may refuse',
  'power.request': 'each instance answers for itself, and may refuse',
  'power.startReturned': 'each instance answers for itself, and may refuse',
  'layout.reshape': 'a host that is converted already, or that blocks, stays as it is',
  'run.start': 'one that waits for a second person, or has started, is answered as it stands',
  'connection.probe': 'asks a host and keeps nothing',
  'cloud.choices': 'reads files that somebody sent, and keeps nothing',
  'cloud.probe': 'asks a cloud and keeps nothing',
  'heal.applyParts': 'what is applied already, or reads otherwise by now, is answered and not written again',
  'heal.undo': 'what has nothing left to undo, or reads otherwise by now, is answered with a new plan',
  'proposal.make': 'the same question again is the one that is open',
}

type Definition = { readonly _def: { readonly type: string } }
const definitions = appRouter._def.procedures as unknown as Readonly<Record<string, Definition>>

/** The caller, whose mutations fail when they leave no entry. */
export function recordedCaller<C extends object>(
  caller: C,
  { database, request }: { readonly database: Database; readonly request: string },
  at = '',
): C {
  return new Proxy(caller, {
    get: (target, key) => {
      const part = Reflect.get(target, key)
      const path = at === '' ? String(key) : `${at}.${String(key)}`
      const type = definitions[path]?._def.type
      if (type === undefined) {
        return typeof part === 'function' || typeof part === 'object'
          ? recordedCaller(part as object, { database, request }, path)
          : part
      }
      if (type !== 'mutation' || WITHOUT_ENTRY[path]) return part
      return async (...input: readonly unknown[]) => {
        const before = await entriesOf(database, request)
        const answer = await (part as (...input: readonly unknown[]) => Promise<unknown>)(...input)
        if ((await entriesOf(database, request)) > before) return answer
        throw new Error(`${path} changed something and left no entry in the audit log.`)
      }
    },
  })
}

async function entriesOf({ pool }: Database, request: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from audit_entry where request = $1', [
    request,
  ])
  return rows[0]?.n ?? 0
}
