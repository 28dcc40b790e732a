import type { ReactNode } from 'react'
import { Frame } from '@/components/console/frame/Frame'
import { BuildDrawer } from '@/components/migrate/BuildDrawer'
import { MigrateDrawer } from '@/components/migrate/MigrateDrawer'
import { Palette } from '@/components/palette/Palette'
import { PastNotice } from '@/components/past/PastNotice'
import { PreviewDrawer } from '@/components/preview/PreviewDrawer'
import { lastEvent, requireUser, serverTime } from '../page-session'

export const dynamic = 'force-dynamic'

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  // Read before any query: later events arrive over the page's event stream.
  const [serverNow, serverSeq] = [serverTime(), lastEvent()]
  const { name, email } = await requireUser()
  return (
    <Frame person={{ name, email }} serverNow={serverNow} serverSeq={serverSeq} notice={<PastNotice />}>
      {children}
      <PreviewDrawer />
      <MigrateDrawer />
      <BuildDrawer />
      <Palette />
    </Frame>
  )
}
