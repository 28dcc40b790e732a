import { type APIRequestContext, test as base, expect, type Page } from '@playwright/test'
import { ADMIN, signIn } from './people'

// What every spec starts from: an admin who has signed in, and a second one at another computer. A page on which a script
// threw fails its test, whatever else the test looks at.

type SignedIn = Awaited<ReturnType<APIRequestContext['storageState']>>

interface Pages {
  /** Another browser of the same person: no cookie, cache or channel is shared with `page`. */
  readonly second: Page
}

interface Shared {
  readonly signedIn: SignedIn
}

export const test = base.extend<Pages, Shared>({
  signedIn: [
    async ({ playwright }, use, info) => {
      const request = await playwright.request.newContext({ baseURL: info.project.use.baseURL })
      await signIn(request, ADMIN)
      await use(await request.storageState())
      await request.dispose()
    },
    { scope: 'worker' },
  ],
  storageState: ({ signedIn }, use) => use(signedIn),
  page: async ({ page }, use) => {
    const thrown: Error[] = []
    page.on('pageerror', (error) => thrown.push(error))
    const forbidden = policyViolations(page)
    await use(page)
    expect(thrown, 'scripts that threw on the page').toEqual([])
    expect(forbidden, 'what the content security policy forbade').toEqual([])
  },
  second: async ({ browser, signedIn }, use) => {
    const context = await browser.newContext({ storageState: signedIn })
    await use(await context.newPage())
    await context.close()
  },
})

/** A browser says them on the console, and nowhere else. */
function policyViolations(page: Page): readonly string[] {
  const said: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy')) said.push(message.text())
  })
  return said
}

export { expect }

/** For pages that somebody opens who has not signed in. */
export const STRANGER = { cookies: [], origins: [] }
