import type { Answer, Call } from './wire'

// Pages of one other site may be let in by setting. Without the setting nothing here does anything.

export type CrossOrigin = 'no' | 'preflight' | 'allowed'

export function isCrossOrigin(call: Call, allowedOrigin: string | null): CrossOrigin {
  if (allowedOrigin === null) return 'no'
  if (call.header('origin') !== allowedOrigin) return 'no'
  return call.method === 'OPTIONS' && call.header('access-control-request-method') !== null ? 'preflight' : 'allowed'
}

const METHODS = 'OPTIONS,GET,HEAD,POST,PUT,DELETE,TRACE,PATCH'

export function withCors(call: Call, answer: Answer, cors: CrossOrigin): Answer {
  if (cors === 'no') return answer
  const origin = call.header('origin') ?? ''
  const wanted = call.header('access-control-request-headers')
  const headers = {
    ...answer.headers,
    vary: [answer.headers.vary, 'Origin'].filter(Boolean).join(', '),
    'access-control-allow-origin': origin,
    ...(cors === 'preflight' && {
      'access-control-allow-methods': METHODS,
      ...(wanted && { 'access-control-allow-headers': wanted }),
    }),
  }
  return { ...answer, headers }
}
