'use client'
import { type RefObject, useEffect } from 'react'

/**
 * Whoever works by keyboard keeps their place when the focused element goes, as a button does once its work is done: the
 * browser would start again at the top of the page, and nothing would show where the focus is.
 */
export function useLostFocus(home: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null
    let frame = 0
    const remember = () => {
      last = document.activeElement
    }
    const isLost = () => last !== null && !last.isConnected && document.activeElement === document.body
    // A dialog that closes gives the focus back in the next frame, and that goes first. One recovery at a time: a page that
    // changes in every frame must not put it off.
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
