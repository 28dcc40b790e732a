'use client'
import { Checkbox } from '../ui/field/Checkbox'
import { TextField } from '../ui/field/Field'
import { connectionWords as words } from './words'

/** Fields that control of a host needs, while being edited. */
export interface Control {
  readonly isOn: boolean
  readonly hasPeer: boolean
  readonly host: string
  readonly pkiPath: string
  readonly dataAddress: string
  readonly pool: string
}

export const NO_CONTROL: Control = {
  ...{ isOn: false, hasPeer: false, host: '', pkiPath: '/etc/pki/berth', dataAddress: '', pool: '' },
}

export function ControlFields(props: {
  readonly control: Control
  readonly onChange: (control: Control) => void
  readonly wrong: (...field: readonly string[]) => string | null
}) {
  const { control, onChange, wrong } = props
  const field = (key: 'host' | 'pkiPath' | 'dataAddress' | 'pool', label: string, error: string | null) => (
    <TextField
      mono
      label={label}
      {...(key === 'pool' && { help: words.poolHelp })}
      value={control[key]}
      error={control[key] === '' ? null : error}
      onChange={(value) => onChange({ ...control, [key]: value })}
    />
  )
  return (
    <div className="flex flex-col gap-3">
      {field('pool', words.pool, wrong('control', 'pool'))}
      <Checkbox
        label={words.peer}
        isSelected={control.hasPeer}
        onChange={(hasPeer) => onChange({ ...control, hasPeer })}
      />
      {control.hasPeer ? (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          {field('host', words.peerHost, wrong('control', 'peer', 'host'))}
          {field('pkiPath', words.peerPki, wrong('control', 'peer', 'pkiPath'))}
          {field('dataAddress', words.dataAddress, wrong('control', 'dataAddress'))}
        </div>
      ) : null}
    </div>
  )
}
