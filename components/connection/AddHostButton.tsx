'use client'
import { useWhyNot } from '../console/denial'
import { Button } from '../ui/Button'
import { useAddHost } from './address'
import { connectionWords as words } from './words'

export function AddHostButton() {
  const { open } = useAddHost()
  const why = useWhyNot('addHost')
  return (
    <Button disabledReason={why} onPress={open}>
      {words.title}
    </Button>
  )
}
