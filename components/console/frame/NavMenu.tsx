'use client'
import { Menu } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useEffect, useState } from 'react'
import { IconButton } from '../../ui/Button'
import { Drawer } from '../../ui/overlay/Dialog'
import { consoleWords } from '../words'
import { Nav } from './Nav'

/** The navigation where there is no space beside the page. It closes on navigation, also by key. */
export function NavMenu() {
  const [isOpen, setOpen] = useState(false)
  const here = usePathname()
  const close = () => setOpen(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, however it was opened
  useEffect(close, [here])
  return (
    <div className="lg:hidden">
      <IconButton
        label={consoleWords.menu}
        className="size-9"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <Menu size={18} aria-hidden="true" />
      </IconButton>
      <Drawer wide="menu" isOpen={isOpen} onClose={close} title={consoleWords.menu}>
        <Nav onGo={close} />
      </Drawer>
    </div>
  )
}
