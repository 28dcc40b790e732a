import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../console/trpc'
import { ComboBox } from '../../ui/field/ComboBox'
import { mib } from '../../ui/format'
import { choiceWords as words } from './words'

interface ChoiceProps {
  readonly className?: string
  readonly label?: string
  readonly value: string | null
  readonly onChange: (value: string) => void
}

export function FlavorChoice({ label = words.flavor, className = 'w-64', value, onChange }: ChoiceProps) {
  const trpc = useTRPC()
  const flavors = useQuery(trpc.flavor.list.queryOptions())
  const choices = flavors.data?.map((flavor) => {
    const detail = words.shape(flavor.vcpus, mib(flavor.memoryMib), Object.keys(flavor.extraSpecs).length)
    return { id: flavor.name, label: flavor.name, detail }
  })
  return (
    <ComboBox label={label} className={className} choices={choices} value={value} called={value} onChange={onChange} />
  )
}

export function ImageChoice({ label = words.image, className = 'w-64', value, onChange }: ChoiceProps) {
  const trpc = useTRPC()
  const images = useQuery(trpc.image.list.queryOptions())
  const choices = images.data?.map((image) => ({ id: image.name, label: image.name }))
  return (
    <ComboBox label={label} className={className} choices={choices} value={value} called={value} onChange={onChange} />
  )
}
