/**
 * unreachable: no answer at that address. not-authenticated: the peer rejects the account. timed-out: the deadline
 * passed, and the call may have happened. protocol: the answer is not libvirt's. closed: the connection ended before
 * the answer. refused: libvirt answers that it will not or cannot.
 */
export type HypervisorErrorKind = 'unreachable' | 'not-authenticated' | 'timed-out' | 'protocol' | 'closed' | 'refused'

/** A connection fault, or libvirt's own error. `code` is virErrorNumber, where known (not from virsh). */
export class HypervisorError extends Error {
  readonly kind: HypervisorErrorKind
  readonly code: number | null

  constructor(kind: HypervisorErrorKind, message: string, code: number | null = null) {
    // A message with NUL or half a character, as ssh may print, would fail every statement that records it.
    super(message.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim())
    this.name = 'HypervisorError'
    this.kind = kind
    this.code = code
  }
}

/** Numbers of libvirt's errors that change the next step. Source: virterror.h, virErrorNumber. */
export const LIBVIRT_ERROR = {
  NO_SUPPORT: 3,
  OPERATION_DENIED: 29,
  NO_DOMAIN: 42,
  AUTH_FAILED: 45,
  NO_STORAGE_POOL: 49,
  NO_STORAGE_VOL: 50,
  NO_NODE_DEVICE: 53,
  OPERATION_INVALID: 55,
  OPERATION_ABORTED: 78,
  AUTH_CANCELLED: 79,
  OPERATION_UNSUPPORTED: 84,
  ACCESS_DENIED: 88,
  AUTH_UNAVAILABLE: 94,
} as const

const AUTHENTICATION: ReadonlySet<number> = new Set([
  LIBVIRT_ERROR.AUTH_FAILED,
  LIBVIRT_ERROR.AUTH_CANCELLED,
  LIBVIRT_ERROR.AUTH_UNAVAILABLE,
])

export function libvirtError(code: number, message: string | null): HypervisorError {
  const kind = AUTHENTICATION.has(code) ? 'not-authenticated' : 'refused'
  return new HypervisorError(kind, message ?? `libvirt error ${code}`, code)
}

export const isRefusal = (error: unknown): error is HypervisorError =>
  error instanceof HypervisorError && error.kind === 'refused'

const NO_SUCH: ReadonlySet<number | null> = new Set([
  LIBVIRT_ERROR.NO_DOMAIN,
  LIBVIRT_ERROR.NO_STORAGE_POOL,
  LIBVIRT_ERROR.NO_STORAGE_VOL,
  LIBVIRT_ERROR.NO_NODE_DEVICE,
])

const isNoSuch = (error: unknown): boolean => error instanceof HypervisorError && NO_SUCH.has(error.code)

/** Null for what vanished between the list and the read. */
export function nullIfMissing<T, R>(read: (item: T) => Promise<R | null>): (item: T) => Promise<R | null> {
  return async (item) => {
    try {
      return await read(item)
    } catch (error) {
      if (isNoSuch(error)) return null
      throw error
    }
  }
}
