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
    return NextResponse.next({ request: { headers } })
  }
  const to = request.nextUrl.clone()
  to.pathname = '/sign-in'
  to.search = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`
  return NextResponse.redirect(to)
}

export const config = {
  // Pages only: everything else answers before Next is asked, but for its files and those of public/, which have nothing
  // to hide. What a program looks for below /.well-known is there or not, whoever asks.
  matcher: [
    '/((?!_next/|sign-in$|\\.well-known/|favicon\\.ico$|icon|apple-touch-icon|manifest\\.webmanifest$|robots\\.txt$).*)',
  ],
}
