'use client'
import { type RefObject, useEffect } from 'react'

/**
 * Restores the keyboard position when the focused element disappears, as a button does after its work: the browser
 * would restart at the top of the page, and nothing would show the focus.
 */
export function useLostFocus(home: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null
    let frame = 0
    const remember = () => {
      last = document.activeElement
    }
    const isLost = () => last !== null && !last.isConnected && document.activeElement === document.body
    // A closing dialog returns the focus in the next frame, which takes precedence. One recovery at a time: a page that
    // changes every frame must not postpone it.
    const recover = () => {
      frame = 0
      if (isLost()) home.current?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (frame === 0 && isLost()) frame = requestAnimationFrame(() => (frame = requestAnimationFrame(recover)))
    })
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
      cancelAnimationFrame(frame)
    }
  }, [home])
}
