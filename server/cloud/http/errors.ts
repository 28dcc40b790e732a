/**
 * unreachable: no answer from that address. tls: the certificate is not accepted. timed-out: the deadline passed.
 * not-authenticated: Keystone or a service does not accept the account. forbidden: the account lacks the right.
 * not-found: 404. busy: the service asks to retry later, or a conflict. failed: an internal error of the service.
 * refused: any other 3xx or 4xx, or a microversion that Berth cannot read. protocol: the answer violates the API.
 * no-endpoint: the catalog does not list the service.
 */
export type CloudErrorKind =
  | 'unreachable'
  | 'tls'
  | 'timed-out'
  | 'not-authenticated'
  | 'forbidden'
  | 'not-found'
  | 'busy'
  | 'failed'
  | 'refused'
  | 'protocol'
  | 'no-endpoint'

export type Service = 'identity' | 'compute' | 'placement'

/** All peers with the same protocol: services of a cloud, and the controllers of machines. */
export type Answerer = Service | 'redfish'

export const SERVICE_NAMES: Readonly<Record<Answerer, string>> = {
  ...{ identity: 'Keystone', compute: 'Nova', placement: 'Placement', redfish: 'Redfish' },
}

/** The request; paths and queries contain no secret. */
export interface Call {
  readonly service: Answerer
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
}

/** A connection fault or an error answer of a cloud. Its message has service, call and answer, and no secret. */
export class CloudError extends Error {
  readonly kind: CloudErrorKind
  readonly call: Call
  readonly status: number | null
  readonly requestId: string | null
  /** The message without the request id: the same for the same fault. */
  readonly says: string
  /** Milliseconds after which the service may be retried. */
  readonly retryAfterMs: number | null

  constructor(call: Call, fault: Fault) {
    const { kind, what, status = null, requestId = null, retryAfterMs = null } = fault
    const says = `${SERVICE_NAMES[call.service]} ${call.method} ${call.path}: ${what}`
    super(requestId ? `${says} (${requestId})` : says)
    this.name = 'CloudError'
    this.says = says
    this.kind = kind
    this.call = call
    this.status = status
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }
}

export interface Fault {
  readonly kind: CloudErrorKind
  readonly what: string
  readonly status?: number
  readonly requestId?: string | null
  readonly retryAfterMs?: number | null
}

const KIND_OF_STATUS: Readonly<Record<number, CloudErrorKind>> = {
  ...{
    401: 'not-authenticated',
    403: 'forbidden',
    404: 'not-found',
    408: 'timed-out',
    409: 'busy',
    429: 'busy',
    503: 'busy',
  },
}

export const kindOfStatus = (status: number): CloudErrorKind =>
  KIND_OF_STATUS[status] ?? (status >= 500 ? 'failed' : 'refused')

/**
 * Whether a call that changes something was certainly not done. A 5xx may come from a gateway that gave up on the
 * service behind it, and an unreadable answer may belong to an accepted call.
 */
export const isRefusal = ({ status }: Pick<CloudError, 'status'>): boolean =>
  status !== null && status >= 300 && status < 500

const TRANSIENT: ReadonlySet<CloudErrorKind> = new Set(['unreachable', 'timed-out', 'busy', 'failed', 'protocol'])

/** Whether the same GET may succeed a moment later. Signing in is not retried: wrong passwords lock accounts. */
export const isTransient = (error: unknown): boolean =>
  error instanceof CloudError && error.call.method === 'GET' && TRANSIENT.has(error.kind)
