import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { findChromium } from '../../server/boot/chromium.mjs'
import type { Api } from './api'

// A browser as users have it. Each window has its own context, so it caches only what it has loaded itself.

const LIMIT_MS = 120_000

export async function openBrowser(): Promise<Browser> {
  const { executablePath, args, env } = findChromium()
  return chromium.launch({
    ...(executablePath && { executablePath }),
    // Without this flag the browser reports memory late and in steps of some hundred kB.
    args: [...args, '--enable-precise-memory-info'],
    env: { ...(process.env as Record<string, string>), ...env },
  })
}

export interface ConsoleWindow {
  readonly context: BrowserContext
  readonly page: Page
}

/** A new window of a signed-in user. */
export async function openWindow(browser: Browser, { origin, cookie }: Api): Promise<ConsoleWindow> {
  const context = await browser.newContext({
    ...{ baseURL: origin, locale: 'en-US', viewport: { width: 1440, height: 900 } },
  })
  const [name = '', ...value] = cookie.split('=')
  await context.addCookies([{ name, value: value.join('='), url: origin }])
  // tsx names functions through a helper that does not exist on the page.
  await context.addInitScript({ content: 'globalThis.__name ??= (named) => named' })
  context.setDefaultTimeout(LIMIT_MS)
  return { context, page: await context.newPage() }
}

/** Ms from the start of navigation until `ready` is there and no part of the page is loading. */
export async function watchFor(page: Page, ready: string): Promise<() => Promise<number>> {
  await page.addInitScript(noteWhenReady, ready)
  return async () => {
    await page.waitForFunction(() => 'readyAtMs' in window)
    return page.evaluate(() => (window as unknown as { readyAtMs: number }).readyAtMs)
  }
}

// Runs on the page before its own code. Notes the time of the first paint with the element.
function noteWhenReady(selector: string): void {
  const update = () => {
    if (!document.querySelector(selector) || document.querySelector('main [aria-busy="true"]')) return
    observer.disconnect()
    requestAnimationFrame(() => Object.assign(window, { readyAtMs: performance.now() }))
  }
  const observer = new MutationObserver(update)
  observer.observe(document, { subtree: true, childList: true, attributes: true })
}
