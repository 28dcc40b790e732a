// Must be imported before uPlot, which creates a number format for the browser's language on load. A Chromium on a
// system without a locale reports `en-US@posix`; that is no language tag, and the whole page would fail.

function isLanguageTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0
  } catch {
    return false
  }
}

if (typeof navigator !== 'undefined' && !isLanguageTag(navigator.language)) {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}

export {} // TypeScript takes a file without exports for a script, which cannot be imported by name
