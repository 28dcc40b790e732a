import type { Answer, Call } from './wire'

// A setting allows pages of one other site. Without it nothing here has an effect.

export type CrossOrigin = 'no' | 'preflight' | 'foreign-preflight' | 'allowed'

export function isCrossOrigin(call: Call, allowedOrigin: string | null): CrossOrigin {
  if (allowedOrigin === null) return 'no'
  const isAllowed = call.header('origin') === allowedOrigin
  if (call.method !== 'OPTIONS') return isAllowed ? 'allowed' : 'no'
  // Other origins get no CORS headers: their browser then refuses, and learns nothing about us.
  return isAllowed && call.header('access-control-request-method') !== null ? 'preflight' : 'foreign-preflight'
}

const METHODS = 'OPTIONS,GET,HEAD,POST,PUT,DELETE,TRACE,PATCH'

export function withCors(call: Call, answer: Answer, cors: CrossOrigin): Answer {
  if (cors === 'no' || cors === 'foreign-preflight') return answer
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
