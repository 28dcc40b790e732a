import type { CloudActionPreview } from '@/server/api/cloud/action-view'
import { Select } from '../../ui/field/Select'
import { Note } from '../../ui/Message'
import { CloudCalls } from '../CloudCalls'
import { cloudActionLabels, cloudActionWords as words } from './words'

// The effect of an action and its options.

export interface ActionOptions {
  readonly host: string | null
  readonly storage: 'auto' | 'block' | 'shared'
  readonly flavor: string | null
  readonly state: 'active' | 'error'
}

export const NOTHING_CHOSEN: ActionOptions = { host: null, storage: 'auto', flavor: null, state: 'active' }

interface ExplainedProps {
  readonly shown: CloudActionPreview
  readonly chosen: ActionOptions
  readonly onChange: (chosen: ActionOptions) => void
}

export function Explained({ shown: { why, call, unchecked, undoneBy, ...shown }, chosen, onChange }: ExplainedProps) {
  return (
    <div className="flex flex-col gap-3">
      <Fields shown={shown} chosen={chosen} onChange={onChange} />
      {why === null ? null : (
        <Note tone="warn" shape="triangle">
          {why}
        </Note>
      )}
      {call === null ? null : (
        <CloudCalls calls={[call]} undo={undoneBy && words.undone(cloudActionLabels[undoneBy].verb)} />
      )}
      {unchecked.length === 0 || call === null ? null : (
        <div className="text-xs text-soft">
          <span>{words.unchecked}</span>
          <ul className="m-0 list-disc pl-4">
            {unchecked.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

const SCHEDULER = 'the-scheduler'

function Fields({
  shown: { fields, destinations, flavors },
  chosen,
  onChange,
}: Omit<ExplainedProps, 'shown'> & { shown: Pick<CloudActionPreview, 'fields' | 'destinations' | 'flavors'> }) {
  if (fields.length === 0) return null
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      {fields.includes('flavor') ? (
        <Select
          label={words.flavor}
          placeholder={words.chooseFlavor}
          value={chosen.flavor}
          onChange={(flavor) => onChange({ ...chosen, flavor })}
          choices={flavors.map(({ id, name, amounts }) => ({ id, label: name, detail: amounts }))}
        />
      ) : null}
      {fields.includes('host') ? (
        <Select
          label={words.host}
          value={chosen.host ?? SCHEDULER}
          onChange={(host) => onChange({ ...chosen, host: host === SCHEDULER ? null : host })}
          choices={[
            { id: SCHEDULER, label: words.scheduler },
            ...destinations.map(({ host, why }) => ({ id: host, label: host, detail: why ?? words.fits })),
          ]}
        />
      ) : null}
      {fields.includes('storage') ? (
        <Select
          label={words.storage}
          value={chosen.storage}
          onChange={(storage) => onChange({ ...chosen, storage })}
          choices={(['auto', 'block', 'shared'] as const).map((id) => ({ id, label: words.storages[id] }))}
        />
      ) : null}
      {fields.includes('state') ? (
        <Select
          label={words.state}
          value={chosen.state}
          onChange={(state) => onChange({ ...chosen, state })}
          choices={(['active', 'error'] as const).map((id) => ({ id, label: words.states[id] }))}
        />
      ) : null}
    </div>
  )
}
