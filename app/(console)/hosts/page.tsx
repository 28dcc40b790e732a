import type { Metadata } from 'next'
import { HostTable } from '@/components/host/HostTable'
import { hostWords } from '@/components/host/words'
import { PastOr } from '@/components/past/PastOr'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: hostWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={hostWords.title} />
      <PastOr of="hosts">
        <HostTable />
      </PastOr>
    </>
  )
}
