import type { Metadata } from 'next'
import { AuditLogTable } from '@/components/audit-log/AuditLogTable'
import { Sealed } from '@/components/audit-log/Sealed'
import { auditLogWords as words } from '@/components/audit-log/words'
import { preloadFirstRows } from '@/components/console/list/preload-first-rows'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: words.title }

export default async function Page({ searchParams }: { searchParams: Promise<object> }) {
  await preloadFirstRows('auditLog.list', searchParams)
  return (
    <>
      <PageHead title={words.title} facts={words.facts} actions={<Sealed />} />
      <AuditLogTable />
    </>
  )
}
