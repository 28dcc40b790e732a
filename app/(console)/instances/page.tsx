import type { Metadata } from 'next'
import { askFirstRows } from '@/components/console/list/ask-early'
import { InstanceTable } from '@/components/instance/InstanceTable'
import { instanceWords } from '@/components/instance/words'
import { BuildButton } from '@/components/move/BuildButton'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: instanceWords.title }

export default async function Page({ searchParams }: { searchParams: Promise<object> }) {
  await askFirstRows('instance.list', searchParams)
  return (
    <>
      <PageHead title={instanceWords.title} actions={<BuildButton />} />
      <InstanceTable fill />
    </>
  )
}
