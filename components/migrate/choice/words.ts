import { plural } from '../../ui/format'

export const choiceWords = {
  flavor: 'New flavor',
  image: 'New image',
  shape: (vcpus: number, memory: string, specs: number) =>
    [plural(vcpus, 'vCPU'), memory, specs > 0 ? plural(specs, 'extra spec') : null].filter(Boolean).join(', '),
} as const
