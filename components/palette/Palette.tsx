'use client'
import { useCallback, useEffect, useState } from 'react'
import { onFind } from '../console/find'
import { lateOverlay } from '../ui/overlay/LateOverlay'

const OpenPalette = lateOverlay(() => import('./OpenPalette').then((code) => code.OpenPalette))

/** Ctrl-K: finds any object, page or action by a few letters. Changes are confirmed first, as everywhere. */
export function Palette() {
  /** Null until first opened: until then its code is not loaded. */
  const [isOpen, setOpen] = useState<boolean | null>(null)
  useEffect(() => onFind(() => setOpen(true)), [])
  const close = useCallback(() => setOpen(false), [])
  return isOpen === null ? null : <OpenPalette isOpen={isOpen} onClose={close} />
}
