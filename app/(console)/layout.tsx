import type { ReactNode } from 'react'
import { Frame } from '@/components/console/Frame'
import { LookDrawer } from '@/components/look/LookDrawer'
import { BuildDrawer } from '@/components/move/BuildDrawer'
import { MoveDrawer } from '@/components/move/MoveDrawer'
import { Palette } from '@/components/palette/Palette'
import { requirePerson } from '../page-session'

export const dynamic = 'force-dynamic'

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const { name, email } = await requirePerson()
  return (
    <Frame person={{ name, email }} serverNow={Date.now()}>
      {children}
      <LookDrawer />
      <MoveDrawer />
      <BuildDrawer />
      <Palette />
    </Frame>
  )
}
