import type { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import type { Refusal } from '../../engine/words/refusal'
import { isFault } from './faults'
import type { RefusalRow } from './refusals'
import { RefusalError } from './refused'
import type { ErrorView } from './view'

// Maps any thrown value to the caller's error. A refusal is reported in full, a fault suggests a retry, and a bug
// reveals nothing internal.

export interface ShownError {
  readonly kind: 'refusal' | 'fault' | 'bug'
  readonly code: TRPCError['code']
  readonly message: string
  /** Without the refusals: their names are resolved later. */
  readonly view: ErrorView
  readonly refusals: readonly Refusal[]
  readonly cause: unknown
}

/** Carries the finished view through tRPC to the formatter. */
export class FormattedError extends Error {
  override readonly name = 'FormattedError'
  constructor(readonly view: ErrorView) {
    super(view.what)
  }
}

const TRPC_CODES: { readonly [S in RefusalRow['status']]: TRPCError['code'] } = {
  400: 'BAD_REQUEST',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  422: 'UNPROCESSABLE_CONTENT',
}
/** Refused by tRPC or the guard, before the procedure's body. */
const AT_THE_DOOR: Partial<Record<TRPCError['code'], { readonly code: string; readonly next: string }>> = {
  UNAUTHORIZED: { code: 'auth.sign-in', next: 'Sign in and try again.' },
  FORBIDDEN: { code: 'auth.forbidden', next: 'Ask an admin for the role, or ask somebody who has it.' },
  NOT_FOUND: { code: 'input.no-procedure', next: 'Reload the page: it may be older than the server.' },
  METHOD_NOT_SUPPORTED: { code: 'input.method', next: 'Queries are sent with GET, mutations with POST.' },
  UNSUPPORTED_MEDIA_TYPE: { code: 'input.media-type', next: 'Send application/json.' },
  PARSE_ERROR: { code: 'input.unreadable', next: 'Send valid JSON.' },
  PAYLOAD_TOO_LARGE: { code: 'input.too-large', next: 'Send less at once.' },
  TOO_MANY_REQUESTS: { code: 'input.too-many', next: 'Wait a little.' },
  SERVICE_UNAVAILABLE: { code: 'fault.unavailable', next: 'Try again in a moment.' },
  CLIENT_CLOSED_REQUEST: { code: 'input.closed', next: 'Try again.' },
}
const NOTHING = 'Nothing was changed.'
const MESSAGE_MAX = 300

export function errorShown(error: TRPCError, requestId: string): ShownError {
  const cause = error.cause
  if (cause instanceof RefusalError) return shownRefusal(cause, requestId)
  if (cause instanceof ZodError) return shownRefusal(badInput(cause), requestId)
  const base = { requestId, where: null, refusals: [], notChanged: NOTHING }
  const known = AT_THE_DOOR[error.code]
  if (known) {
    const transient = error.code === 'SERVICE_UNAVAILABLE' || error.code === 'TOO_MANY_REQUESTS'
    const message = error.message.slice(0, MESSAGE_MAX)
    const view = { ...base, ...known, what: message, transient }
    return { kind: 'refusal', code: error.code, message, view, refusals: [], cause }
  }
  return isFault(cause ?? error) ? shownFault(cause ?? error, base) : shownBug(cause ?? error, base)
}

type Base = Pick<ErrorView, 'requestId' | 'where' | 'refusals' | 'notChanged'>

function shownFault(cause: unknown, base: Base): ShownError {
  const message = 'Berth cannot reach its database at present.'
  // The connection may have broken after the commit, so it is unknown whether a write was committed.
  const notChanged = 'It is unknown whether a change was made; check before you repeat it.'
  const next = 'Try again in a moment. If it persists, report the request id to the administrator of Berth.'
  const view = { ...base, code: 'fault.unavailable', what: message, notChanged, next, transient: true }
  return { kind: 'fault', code: 'SERVICE_UNAVAILABLE', message, view, refusals: [], cause }
}

function shownBug(cause: unknown, base: Base): ShownError {
  const message = 'Internal error. The log has it under the request id.'
  const notChanged = 'It is unknown whether a change was made; check before you repeat it.'
  const view = {
    ...base,
    code: 'internal',
    what: message,
    notChanged,
    next: 'Report the request id.',
    transient: false,
  }
  return { kind: 'bug', code: 'INTERNAL_SERVER_ERROR', message, view, refusals: [], cause }
}

function shownRefusal(refused: RefusalError, requestId: string): ShownError {
  const { row, about, refusals, message } = refused
  const view: ErrorView = {
    requestId,
    code: row.code,
    what: message,
    where: about.where ?? null,
    refusals: [],
    notChanged: about.notChanged ?? NOTHING,
    next: about.next ?? row.user,
    transient: refusals.every((each) => each.kind !== 'bad-input') && row.transient,
  }
  return { kind: 'refusal', code: TRPC_CODES[row.status], message, view, refusals, cause: refused }
}

const ISSUES_MAX = 20

/** Every issue of the input as a refusal: where it is, what was expected. The input is not repeated. */
function badInput(error: ZodError): RefusalError {
  const refusals = error.issues.slice(0, ISSUES_MAX).map((issue): Refusal => {
    const at = issue.path.map(String).join('.').slice(0, 100)
    return { kind: 'bad-input', where: {}, need: issue.message.slice(0, MESSAGE_MAX), have: at || 'input' }
  })
  return invalidInput(refusals)
}

export function invalidInput([first, ...rest]: readonly Refusal[]): RefusalError {
  const none: Refusal = { kind: 'bad-input', where: {}, need: 'valid input', have: 'input' }
  return new RefusalError([first ?? none, ...rest], {
    what: 'The input is not valid',
    where: first?.kind === 'bad-input' ? first.have : null,
  })
}
