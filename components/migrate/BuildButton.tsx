'use client'
import { useWhyNot } from '../console/denial'
import { Button } from '../ui/Button'
import { useBuildDrawer } from './address'
import { buildWords } from './words'

export function BuildButton() {
  const { open } = useBuildDrawer()
  const why = useWhyNot('build')
  return (
    <Button variant="primary" disabledReason={why} onPress={open}>
      {buildWords.title}
    </Button>
  )
}
