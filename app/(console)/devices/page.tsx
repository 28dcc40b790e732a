import type { Metadata } from 'next'
import { DevicesPage } from '@/components/device/DevicesPage'
import { deviceWords } from '@/components/device/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: deviceWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={deviceWords.title} facts={deviceWords.facts} />
      <DevicesPage />
    </>
  )
}
