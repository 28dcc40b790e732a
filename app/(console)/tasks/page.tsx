import type { Metadata } from 'next'
import { preloadFirstRows } from '@/components/console/list/preload-first-rows'
import { TaskTable } from '@/components/task/TaskTable'
import { taskWords } from '@/components/task/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: taskWords.title }

export default async function Page({ searchParams }: { searchParams: Promise<object> }) {
  await preloadFirstRows('task.list', searchParams)
  return (
    <>
      <PageHead title={taskWords.title} facts={taskWords.facts} />
      <TaskTable />
    </>
  )
}
