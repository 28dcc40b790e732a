import type { ForeignInstances as Answer } from '@/server/engine/move-rules'
import { Select } from '../ui/field/Select'
import { foreignWords, settingWords as words } from './words'

export interface ForeignInstancesProps {
  readonly value: Answer
  readonly onChange: (value: Answer) => void
}

/** What a Placement client is answered that claims for an instance of its own on a host of Berth. */
export const ForeignInstances = ({ value, onChange }: ForeignInstancesProps) => (
  <Select
    label={words.foreign}
    help={words.foreignHelp}
    value={value}
    onChange={onChange}
    choices={(Object.keys(foreignWords) as Answer[]).map((id) => ({ id, ...foreignWords[id] }))}
  />
)
