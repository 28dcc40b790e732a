import type { Metadata } from 'next'
import { AskedAhead } from '@/app/asked-ahead'
import { firstRows } from '@/components/console/page-rows'
import { DevicesPage } from '@/components/device/DevicesPage'
import { deviceWords } from '@/components/device/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: deviceWords.title }

export default async function Page({ searchParams }: { searchParams: Promise<object> }) {
  const plain = Object.keys(await searchParams).length === 0
  return (
    <>
      <AskedAhead path="device.kinds" />
      {plain ? <AskedAhead path="device.list" input={firstRows()} /> : null}
      <PageHead title={deviceWords.title} facts={deviceWords.facts} />
      <DevicesPage />
    </>
  )
}
