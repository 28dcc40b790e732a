import {
  type APIRequestContext,
  type Browser,
  type BrowserType,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import { becomesReady, READY_LIMIT_MS } from './server'
import { ADMIN, signIn } from './users'

// The start of every spec: an admin who has signed in, and the same user in a second browser. A script error on a page
// fails its test, whatever else the test checks.

type SignedIn = Awaited<ReturnType<APIRequestContext['storageState']>>

interface Pages {
  /** Another browser of the same user: shares no cookie, cache or channel with `page`. */
  readonly second: Page
}

interface WorkerFixtures {
  readonly signedIn: SignedIn
}

export const test = base.extend<Pages, WorkerFixtures & { browser: Browser }>({
  browser: [
    async ({ playwright, browserName, launchOptions }, use) => {
      const browser = await launched(playwright[browserName], launchOptions)
      await use(browser)
      await browser.close()
    },
    { scope: 'worker', timeout: 0 },
  ],
  signedIn: [
    async ({ playwright }, use, info) => {
      const { baseURL = '' } = info.project.use
      if (!(await becomesReady(baseURL))) throw new Error(`Berth did not come up on ${baseURL}.`)
      const request = await playwright.request.newContext({ baseURL })
      await signIn(request, ADMIN)
      await use(await request.storageState())
      await request.dispose()
    },
    { scope: 'worker', timeout: READY_LIMIT_MS },
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

const LAUNCHES = 3

/** Retries: on a busy machine the browser sometimes crashes before it has opened a page. */
async function launched(type: BrowserType, options: Parameters<BrowserType['launch']>[0], tried = 1): Promise<Browser> {
  try {
    return await type.launch(options)
  } catch (error) {
    if (tried === LAUNCHES) throw error
    console.warn(
      `The browser did not start, once more: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
    )
    return launched(type, options, tried + 1)
  }
}

/** Violations of the Content Security Policy, which a browser reports on its console only. */
function policyViolations(page: Page): readonly string[] {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy')) errors.push(message.text())
  })
  return errors
}

export { expect }

/** For pages opened without signing in. */
export const SIGNED_OUT = { cookies: [], origins: [] }
