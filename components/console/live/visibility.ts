/** Another tab is usually opened only briefly: until then the stream is kept. */
const HIDDEN_MS = 10_000

interface VisibilityHandlers {
  /** Nobody has seen this page for a while. */
  readonly onHidden: () => void
  /** The page is visible again after that. */
  readonly onSeen: () => void
}

/** Whether this page is seen at all; a tab behind another, or a window behind another, is not. Answers how to stop. */
export function watchVisibility({ onHidden, onSeen }: VisibilityHandlers): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let rests = false
  const look = () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') {
      timer = setTimeout(() => {
        rests = true
        onHidden()
      }, HIDDEN_MS)
    } else if (rests) {
      rests = false
      onSeen()
    }
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
