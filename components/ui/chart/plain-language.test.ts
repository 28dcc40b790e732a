import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const languageAfter = async (language: string) => {
  vi.stubGlobal('navigator', { language })
  await import('./plain-language')
  return navigator.language
}

it('a language tag that can format numbers stays as it is', async () => {
  expect(await languageAfter('de-AT')).toBe('de-AT')
})

it('an invalid language tag is replaced, so that a chart can be drawn', async () => {
  expect(await languageAfter('en-US@posix')).toBe('en')
})
