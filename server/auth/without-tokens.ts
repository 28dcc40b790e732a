// better-auth tells the token of a session in its answers besides the cookie, and a script that reads it has the session.
// Nothing but the cookie carries it out of here.

export async function withoutTokens(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return answer
  const text = await answer.text()
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  const stripped = text === '' ? text : JSON.stringify(JSON.parse(text), dropToken)
  return new Response(stripped, { status: answer.status, headers })
}

const dropToken = (key: string, value: unknown) => (key === 'token' ? undefined : value)
