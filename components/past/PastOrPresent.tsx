'use client'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { Pending } from '../console/Failure'
import { useAt } from './address'

const PastBar = dynamic(() => import('./replay/PastBar').then((code) => code.PastBar), {
  // Its height on one line.
  loading: () => <div className="h-[58px]" />,
})
const PastHosts = dynamic(() => import('./replay/PastHosts').then((code) => code.PastHosts), {
  loading: () => <Pending />,
})
const PastMigrations = dynamic(() => import('./replay/PastMigrations').then((code) => code.PastMigrations), {
  loading: () => <Pending />,
})

const VIEWS = { hosts: PastHosts, migrations: PastMigrations } as const

/** The page as it is, or as it was at the time in the address. */
export function PastOrPresent({ of, children }: { of: keyof typeof VIEWS; children: ReactNode }) {
  const { at, setAt } = useAt()
  const Then = VIEWS[of]
  return (
    <>
      {at === null ? null : <PastBar at={at} onAt={setAt} />}
      {at === null ? children : <Then at={at} />}
    </>
  )
}
