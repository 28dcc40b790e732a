/** Most visits to another tab are short: until then nothing is released. */
const HIDDEN_MS = 10_000

interface VisibilityHandlers {
  /** The page has been hidden for a while. */
  readonly onHidden: () => void
  /** The page is visible again after that. */
  readonly onVisible: () => void
}

/** Watches whether this page is visible, not behind another tab or window. Returns an unsubscribe function. */
export function watchVisibility({ onHidden, onVisible }: VisibilityHandlers): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let rests = false
  const update = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') {
      timer = setTimeout(() => {
        rests = true
        onHidden()
      }, HIDDEN_MS)
    } else if (rests) {
      rests = false
      onVisible()
    }
  }
  update()
  document.addEventListener('visibilitychange', update)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', update)
  }
}
