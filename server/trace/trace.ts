import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

// OpenTelemetry spans. Unless tracing is configured (open.ts), every call here does nothing. Names and attributes
// follow the semantic conventions; others begin with `berth.`. Parameters of statements, headers and form values are
// never recorded.

const tracer = trace.getTracer('berth')

export interface RequestSpan {
  readonly method: string
  /** Without the query string, which may contain a user's search text. */
  readonly path: string
  /** With `traceparent`, the span continues the caller's trace. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly status: () => number
}

/** Every span started in `work`, also after an await, is a child of this one. */
export function tracedRequest<T>({ method, path, headers, status }: RequestSpan, work: () => Promise<T>): Promise<T> {
  const parent = propagation.extract(context.active(), headers)
  const attributes = { 'http.request.method': method, 'url.path': path }
  return tracer.startActiveSpan(method, { kind: SpanKind.SERVER, attributes }, parent, (span) =>
    ended(span, work, () => {
      span.setAttribute('http.response.status_code', status())
      if (status() >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    }),
  )
}

/** A unit of work, such as a procedure, a tick of a migration or a driver call. Starts a trace if none is active. */
export const traced = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  tracer.startActiveSpan(name, { attributes }, (span) => ended(span, work))

/** For work that fails by its answer instead of by throwing. */
export function markFailed(): void {
  trace.getActiveSpan()?.setStatus({ code: SpanStatusCode.ERROR })
}

/** A database query within an active trace. The polls for due work, once a second, start no trace. */
export function tracedQuery<T>(summaryOf: () => string, work: () => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()?.isRecording()) return work()
  const summary = summaryOf()
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary }
  return tracer.startActiveSpan(summary, { kind: SpanKind.CLIENT, attributes }, (span) => ended(span, work))
}

async function ended<T>(span: Span, work: () => Promise<T>, before?: () => void): Promise<T> {
  try {
    const answer = await work()
    before?.()
    return answer
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
    throw error
  } finally {
    span.end()
  }
}
