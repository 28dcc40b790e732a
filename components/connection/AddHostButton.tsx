'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { useAddHost } from './address'
import { connectionWords as words } from './words'

export function AddHostButton() {
  const trpc = useTRPC()
  const { open } = useAddHost()
  const permit = useQuery(trpc.session.me.queryOptions()).data?.permitted.addHost
  return (
    <Button why={permit && !permit.ok ? permit.why : null} onPress={open}>
      {words.title}
    </Button>
  )
}
