import type { Metadata } from 'next'
import { AddHostButton } from '@/components/connection/AddHostButton'
import { AddHostDrawer } from '@/components/connection/AddHostDrawer'
import { preloadFirstRows } from '@/components/console/list/preload-first-rows'
import { paths } from '@/components/console/paths'
import { HostTable } from '@/components/host/HostTable'
import { hostWords } from '@/components/host/words'
import { PastButton } from '@/components/past/PastButton'
import { PastOrPresent } from '@/components/past/PastOrPresent'
import { providerWords } from '@/components/provider/words'
import { TextLink } from '@/components/ui/Link'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: hostWords.title }

export default async function Page({ searchParams }: { searchParams: Promise<object> }) {
  await preloadFirstRows('host.list', searchParams)
  return (
    <>
      <PageHead
        title={hostWords.title}
        actions={
          <>
            <AddHostButton />
            <PastButton />
          </>
        }
        facts={<TextLink href={paths.providers()}>{providerWords.besideHosts}</TextLink>}
      />
      <PastOrPresent of="hosts">
        <HostTable />
      </PastOrPresent>
      <AddHostDrawer />
    </>
  )
}
