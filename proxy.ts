import { type NextRequest, NextResponse } from 'next/server'

// Runs before every page. It only looks whether there is a session cookie at all, and sends people without one to
// sign in; whether the session is real is asked by the console's layout and by every procedure, which read the
// database. Without this a signed-out person would wait for a page that only then turns them away.

const COOKIES = ['berth.session_token', '__Secure-berth.session_token']

export function proxy(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl
  if (COOKIES.some((name) => request.cookies.has(name))) {
    const headers = new Headers(request.headers)
    headers.set('x-berth-path', pathname + search) // a layout is not told the path it is drawn for
    const response = NextResponse.next({ request: { headers } })
    // A page of another site that frames this one could make people click what they do not see.
    response.headers.set('x-frame-options', 'DENY')
    response.headers.set('referrer-policy', 'same-origin')
    return response
  }
  const to = request.nextUrl.clone()
  to.pathname = '/sign-in'
  to.search = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`
  return NextResponse.redirect(to)
}

export const config = {
  // Pages only. The API, the metrics and the probes answer for themselves; files have nothing to hide.
  matcher: ['/((?!api/|api$|_next/|healthz$|readyz$|metrics$|placement|sign-in$|favicon.ico$|icon|robots.txt$).*)'],
}
