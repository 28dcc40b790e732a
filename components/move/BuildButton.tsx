'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { useBuildDrawer } from './address'
import { buildWords } from './words'

export function BuildButton() {
  const trpc = useTRPC()
  const { open } = useBuildDrawer()
  const session = useQuery(trpc.session.me.queryOptions())
  const permit = session.data?.permitted.build
  return (
    <Button look="primary" why={permit && !permit.ok ? permit.why : null} onPress={open}>
      {buildWords.title}
    </Button>
  )
}
