// Any component can request the command palette; the palette listens wherever it is mounted.

const FIND = 'berth:find'

export const openFind = () => window.dispatchEvent(new Event(FIND))

/** Ctrl-K, Cmd-K or a button. Returns an unsubscribe function. */
export function onFind(open: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    open()
  }
  window.addEventListener('keydown', onKey)
  window.addEventListener(FIND, open)
  return () => {
    window.removeEventListener('keydown', onKey)
    window.removeEventListener(FIND, open)
  }
}
