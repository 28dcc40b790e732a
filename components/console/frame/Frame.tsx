'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Live } from '../live/Live'
import { useTRPC } from '../trpc'
import { Shell } from './Shell'

/** The shell with its one live channel. The user comes with the page; rights and the simulated mark load later. */
export function Frame(props: {
  readonly person: { readonly name: string; readonly email: string }
  readonly serverNow: number
  readonly serverSeq: string | undefined
  readonly notice: ReactNode
  readonly children: ReactNode
}) {
  const trpc = useTRPC()
  const session = useQuery(trpc.session.me.queryOptions())
  return (
    <Live serverNow={props.serverNow} serverSeq={props.serverSeq}>
      <Shell user={props.person} session={session.data ?? null} notice={props.notice}>
        {props.children}
      </Shell>
    </Live>
  )
}
