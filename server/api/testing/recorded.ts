import type { Database } from '../../store/database/database'
import { ROUTES } from '../rest/routes'
import { appRouter } from '../router'
import { OWN_CHECK } from './rest/answers'

// Checks every API test: each successful write must leave an audit entry, unless it is listed here with a reason, and
// every answer must match the OpenAPI document.

/** Mutations that change nothing themselves, or may find nothing to change. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'finding.audit': 'reads everything again; what it finds is in the findings',
  'heal.plan': 'a plan is a draft: applying it is the write',
  'simulator.fault': 'a fault of the simulated hypervisor; nothing of the records changes by it',
  'migration.requestAction': 'each migration answers for itself, and may refuse',
  'power.request': 'each instance answers for itself, and may refuse',
  'power.startReturned': 'each instance answers for itself, and may refuse',
  'layout.convert': 'a host that is converted already, or that blocks, stays as it is',
  'run.start': 'one that waits for a second person, or has started, is answered as it stands',
  'connection.probe': 'asks a host and keeps nothing',
  'cloud.choices': 'reads files that somebody sent, and keeps nothing',
  'cloud.probe': 'asks a cloud and keeps nothing',
  'heal.applyParts': 'what is applied already, or reads otherwise by now, is answered and not written again',
  'heal.undo': 'what has nothing left to undo, or reads otherwise by now, is answered with a new plan',
  'proposal.create': 'the same question again is the one that is open',
}

type Definition = { readonly _def: { readonly type: string } }
const definitions = appRouter._def.procedures as unknown as Readonly<Record<string, Definition>>

interface RecordingContext {
  readonly database: Database
  readonly request: string
}

/** The caller, whose mutations fail when they leave no audit entry, unless there is no recording. */
export function recordedCaller<C extends object>(caller: C, recording: RecordingContext | null, at = ''): C {
  return new Proxy(caller, {
    get: (target, key) => {
      const part = Reflect.get(target, key)
      const path = at === '' ? String(key) : `${at}.${String(key)}`
      const type = definitions[path]?._def.type
      if (type === undefined) {
        return typeof part === 'function' || typeof part === 'object'
          ? recordedCaller(part as object, recording, path)
          : part
      }
      if (type === 'subscription') return part
      const ask = describedCall(path, part as Call)
      if (type !== 'mutation' || WITHOUT_ENTRY[path] || recording === null) return ask
      return async (...input: readonly unknown[]) => {
        const before = await entriesOf(recording)
        const answer = await ask(...input)
        if ((await entriesOf(recording)) > before) return answer
        throw new Error(`${path} changed something and left no entry in the audit log.`)
      }
    },
  })
}

type Call = (...input: readonly unknown[]) => Promise<unknown>

/** Streamed reports are read by the test that requested them. */
function describedCall(procedure: string, call: Call): Call {
  const route: object | undefined = ROUTES[procedure as keyof typeof ROUTES]
  if (!route || !('path' in route)) return call
  return async (...input) => {
    const answer = await call(...input)
    if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer) return answer
    const body = JSON.parse(JSON.stringify(answer ?? null))
    const fault = OWN_CHECK.faultOf({ operation: procedure, status: 200, body })
    if (fault !== null) throw new Error(fault)
    return answer
  }
}

async function entriesOf({ database: { pool }, request }: RecordingContext): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from audit_entry where request = $1', [
    request,
  ])
  return rows[0]?.n ?? 0
}
