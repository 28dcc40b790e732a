import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

// Spans of OpenTelemetry, for those who switch them on (open.ts). Without that each call here is one that does nothing.
// Names and attributes are those of its semantic conventions; what they do not name begins with `berth.`. No value of a
// statement, a header or a form is ever one of them.

const tracer = trace.getTracer('berth')

export interface RequestSpan {
  readonly method: string
  /** Without the query, which may hold what somebody searches for. */
  readonly path: string
  /** May hold `traceparent`: then this is a part of a trace that began elsewhere. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly status: () => number
}

/** Everything that `work` does, also after waiting, is below this span. */
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

/** A piece of work: a procedure, a tick of a migration, a call of a driver. Begins a trace where none is open. */
export const traced = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  tracer.startActiveSpan(name, { attributes }, (span) => ended(span, work))

/** Of what fails with an answer instead of an error. */
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
