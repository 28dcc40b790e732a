'use client'
import { useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useMemo, useState } from 'react'
import { AUDIT_LOG_LIST } from '@/lists/audit-log'
import type { AuditLogEntry } from '@/server/api/audit-log/router'
import { ListTable } from '../console/list/ListTable'
import { useList } from '../console/list/list'
import { usePagedRows } from '../console/list/pages'
import { useTRPC } from '../console/trpc'
import { IconButton } from '../ui/Button'
import { Drawer } from '../ui/overlay/Dialog'
import { ViewsMenu } from '../view/ViewsMenu'
import { auditLogColumns } from './columns'
import { auditLogWords as words } from './words'

const EntryDetails = dynamic(() => import('./EntryDetails').then((code) => code.EntryDetails), { loading: () => null })

/** The audit log, newest first. It does not refresh on events: rows would move while being read. */
export function AuditLogTable() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const list = useList(AUDIT_LOG_LIST)
  const paged = usePagedRows({
    input: list.input,
    ask: (page) => trpc.auditLog.list.queryOptions(page),
  })
  const [open, setOpen] = useState<AuditLogEntry | null>(null)
  const columns = useMemo(() => auditLogColumns(setOpen), [])
  return (
    <>
      <ListTable
        fill
        columns={columns}
        list={list}
        paged={paged}
        words={words}
        beside={
          <>
            <ViewsMenu />
            <IconButton
              label={words.refresh}
              onPress={() => void queries.invalidateQueries(trpc.auditLog.pathFilter())}
            >
              <RotateCw size={14} aria-hidden="true" />
            </IconButton>
          </>
        }
      />
      <Drawer isOpen={open !== null} onClose={() => setOpen(null)} title={words.one}>
        {open ? <EntryDetails entry={open} /> : null}
      </Drawer>
    </>
  )
}
