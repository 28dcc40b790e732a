import type { Metadata } from 'next'
import { preloadFirstRows, preloadQuery } from '@/components/console/list/preload-first-rows'
import { DevicesPage } from '@/components/device/DevicesPage'
import { deviceWords } from '@/components/device/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: deviceWords.title }

export default async function Page({ searchParams }: { searchParams: Promise<object> }) {
  await Promise.all([preloadQuery('device.kinds'), preloadFirstRows('device.list', searchParams)])
  return (
    <>
      <PageHead title={deviceWords.title} facts={deviceWords.facts} />
      <DevicesPage />
    </>
  )
}
