import type { Metadata } from 'next'
import { CapacityPage } from '@/components/capacity/CapacityPage'
import { capacityWords } from '@/components/capacity/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: capacityWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={capacityWords.title} facts={capacityWords.facts} />
      <CapacityPage />
    </>
  )
}
