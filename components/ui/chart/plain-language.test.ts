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

it('leaves a language alone that numbers can be written in', async () => {
  expect(await languageAfter('de-AT')).toBe('de-AT')
})

it('replaces what is no language tag, so that a chart can be drawn', async () => {
  expect(await languageAfter('en-US@posix')).toBe('en')
})
