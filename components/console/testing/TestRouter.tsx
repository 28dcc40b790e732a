import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import type { ReactNode } from 'react'

const ignored = () => {}

/**
 * The router of Next.js around parts of the console. Not a mock of its module: test files share loaded modules, so a mock
 * holds or not by what another file loaded first.
 */
export function TestRouter({ push, children }: { push: (href: string) => void; children: ReactNode }) {
  const others = {
    replace: ignored,
    back: ignored,
    forward: ignored,
    refresh: ignored,
    prefetch: ignored,
    bfcacheId: '',
  }
  return <AppRouterContext value={{ push, ...others }}>{children}</AppRouterContext>
}
