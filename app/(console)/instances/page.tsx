import type { Metadata } from 'next'
import { preloadFirstRows } from '@/components/console/list/preload-first-rows'
import { InstanceTable } from '@/components/instance/InstanceTable'
import { instanceWords } from '@/components/instance/words'
import { BuildButton } from '@/components/migrate/BuildButton'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: instanceWords.title }

export default async function Page({ searchParams }: { searchParams: Promise<object> }) {
  await preloadFirstRows('instance.list', searchParams)
  return (
    <>
      <PageHead title={instanceWords.title} actions={<BuildButton />} />
      <InstanceTable fill />
    </>
  )
}
