// Error responses of the API. A handler throws a problem, which the endpoint converts to a response.

export const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const
export type ProblemStatus = keyof typeof TITLES

/** Codes of 1.23 and later. Clients distinguish lack of capacity from a concurrent update only by these. */
export const CODES = {
  undefined: 'placement.undefined_code',
  inventoryInUse: 'placement.inventory.inuse',
  raced: 'placement.concurrent_update',
  duplicateName: 'placement.duplicate_name',
  providerInUse: 'placement.resource_provider.inuse',
  parent: 'placement.resource_provider.cannot_delete_parent',
  noProvider: 'placement.resource_provider.not_found',
  duplicateKey: 'placement.query.duplicate_key',
  badValue: 'placement.query.bad_value',
  missingValue: 'placement.query.missing_value',
} as const
export type ProblemCode = (typeof CODES)[keyof typeof CODES]

export class Problem extends Error {
  readonly status: ProblemStatus
  readonly code: ProblemCode
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: ProblemStatus,
    detail = '',
    more: { code?: ProblemCode; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail)
    this.status = status
    this.code = more.code ?? CODES.undefined
    this.headers = more.headers ?? {}
  }
}

export const badRequest = (detail: string, code?: ProblemCode) => new Problem(400, detail, code && { code })
export const notFound = (detail = '') => new Problem(404, detail)
export const conflict = (detail: string, code?: ProblemCode) => new Problem(409, detail, code && { code })

// The sentence of each status before the detail: clients match on it and users search for it.
const MALFORMED = 'The server could not comply with the request since it is either malformed or otherwise incorrect.'
const LEADS: Readonly<Record<ProblemStatus, string>> = {
  400: MALFORMED,
  401: 'This server could not verify that you are authorized to access the document you requested. Either you supplied the wrong credentials (e.g., bad password), or your browser does not understand how to supply the credentials required.',
  403: 'Access was denied to this resource.',
  404: 'The resource could not be found.',
  405: '',
  406: '',
  409: 'There was a conflict when trying to complete your request.',
  413: 'The body of your request was too large for this server.',
  415: '',
  500: 'The server has either erred or is incapable of performing the requested operation.',
  503: 'The server is currently unavailable. Please try again at a later time.',
}

export interface RequestHead {
  readonly method: string
  readonly accept: string
  readonly contentType: string
}

/** The contents of a problem, before formatting. */
interface ProblemText {
  readonly lead: string
  readonly detail: string
  /** True when the original pads the detail with trailing blanks. */
  readonly isPadded: boolean
}

/** Strips tags from the detail, as the original does, because they would be markup in its HTML form. */
function messageParts({ status, message }: Problem, { method, accept, contentType }: RequestHead): ProblemText {
  const detail = withoutTags(message.replaceAll('\n', ' '))
  switch (status) {
    case 405:
      return { lead: `The method ${method} is not allowed for this resource. `, detail, isPadded: false }
    case 406: {
      const lead = `The resource could not be generated that was acceptable to your browser\n(content of type ${accept}. `
      return { lead, detail, isPadded: false }
    }
    case 415:
      return {
        lead: `The request media type ${contentType} is not supported by this server.\n`,
        detail,
        isPadded: false,
      }
    default:
      return { lead: LEADS[status], detail, isPadded: true }
  }
}

/** An expression for a tag would search the rest of the text for its end once for each `<`. */
function withoutTags(text: string): string {
  let kept = ''
  for (let at = 0; ; ) {
    const start = text.indexOf('<', at)
    const end = start < 0 ? -1 : text.indexOf('>', start)
    if (end < 0) return kept + text.slice(at)
    kept += text.slice(at, start)
    at = end + 1
  }
}

/** The text of a problem. */
export function textOf(problem: Problem, head: RequestHead): string {
  const { lead, detail, isPadded } = messageParts(problem, head)
  return `${lead.replaceAll('\n', ' ')}\n\n ${detail}${isPadded ? '  ' : ''}`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (each) => ESCAPES[each] ?? each)

/** The same as a part of a page. */
export function markupOf(problem: Problem, head: RequestHead): string {
  const { lead, detail, isPadded } = messageParts(problem, head)
  return `${escaped(lead)}<br /><br />\n${escaped(detail)}${isPadded ? '\n\n' : ''}`
}
