import { useCallback, useEffect, useRef } from 'react'

/** Whether this part of the page is still there when an answer arrives: a closed dialog shows its result elsewhere. */
export function useIsShown(): () => boolean {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(() => isShown.current, [])
}
