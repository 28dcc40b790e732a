import type { Metadata } from 'next'
import { AddHostButton } from '@/components/connection/AddHostButton'
import { AddHostDrawer } from '@/components/connection/AddHostDrawer'
import { preloadFirstRows } from '@/components/console/list/preload-first-rows'
import { paths } from '@/components/console/paths'
import { HostTable } from '@/components/host/HostTable'
import { hostWords } from '@/components/host/words'
import { PastButton } from '@/components/past/PastButton'
import { PastOr } from '@/components/past/PastOr'
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
      <PastOr of="hosts">
        <HostTable />
      </PastOr>
      <AddHostDrawer />
    </>
  )
}
