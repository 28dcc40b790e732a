import type { HealthCheck } from '../../engine/health/checks'

// The answer of `/readyz`. 503 means that requests should not come here: this server cannot do its work. Faults of the
// fleet's watchers are reported but do not take servers out of service, because all would be taken out at once;
// `?strict` makes them fail the status too.

export interface Readiness {
  /** Null: requests may come here. */
  readonly reason: string | null
  readonly checks: readonly HealthCheck[]
}

export interface ReadinessParts {
  isStopping(): boolean
  /** Why the database cannot be used; returns quickly. */
  databaseFailure(): Promise<string | null>
  /** Why the last write of this server failed; null when it did not. */
  writeFailure(): string | null
  checks(): readonly HealthCheck[]
}

export async function readiness(parts: ReadinessParts): Promise<Readiness> {
  const checks = parts.checks()
  if (parts.isStopping()) return { reason: 'The server is stopping.', checks }
  const reason = (await parts.databaseFailure()) ?? parts.writeFailure()
  return { reason, checks }
}

/** `null`: still starting. */
export function readinessResponse(known: Readiness | null, { strict }: { readonly strict: boolean }): Response {
  const reason = known === null ? 'The server is starting.' : known.reason
  const checks = known?.checks ?? []
  const failing = checks.filter(({ ok }) => !ok)
  const status = reason !== null ? 'not ready' : failing.length > 0 ? 'degraded' : 'ready'
  const ok = status === 'ready' || (status === 'degraded' && !strict)
  return Response.json({ status, reason, checks }, { status: ok ? 200 : 503, headers: { 'cache-control': 'no-store' } })
}
