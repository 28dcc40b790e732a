'use client'
import type { InstanceDetail } from '@/server/api/instance/router'
import type { Operation } from '@/server/engine/migration/state'
import { KindBadge } from '../host/KindTag'
import { operationWords } from '../step/words'
import { Select } from '../ui/field/Select'
import { Note } from '../ui/Message'
import { STORAGE, type useMigrateDrawer } from './address'
import { FlavorChoice, ImageChoice } from './choice/choices'
import { storageWords, migrateWords as words } from './words'

const OPERATIONS = Object.keys(operationWords) as readonly Operation[]

export function MigrateForm(props: {
  /** Undefined while loading. */
  readonly instance: InstanceDetail | undefined
  readonly operation: Operation
  readonly address: ReturnType<typeof useMigrateDrawer>
}) {
  const { instance, operation, address } = props
  const permit = instance?.permitted[operation]
  return (
    <div className="flex flex-col gap-2">
      {instance?.host ? (
        <p className="m-0 flex items-center gap-2 text-sm text-soft">
          {words.from(instance.host.name)} <KindBadge host={instance.host.id} />
        </p>
      ) : null}
      <div className="flex flex-wrap items-start gap-3">
        <Select
          label={words.operation}
          className="w-56"
          value={operation}
          onChange={(id) => address.set({ operation: id, target: null, verdict: null })}
          choices={OPERATIONS.map((id) => ({ id, label: operationWords[id].verb, detail: operationWords[id].hint }))}
        />
        {operation === 'live-migrate' ? (
          <Select
            label={words.storage}
            className="w-72"
            value={address.storage ?? 'auto'}
            onChange={(storage) => address.set({ storage, target: null, verdict: null })}
            choices={STORAGE.map((id) => ({ id, ...storageWords[id] }))}
          />
        ) : null}
        {operation === 'resize' ? (
          <FlavorChoice value={address.flavor} onChange={(flavor) => address.set({ flavor, target: null })} />
        ) : null}
        {operation === 'rebuild' ? (
          <ImageChoice value={address.image} onChange={(image) => address.set({ image, target: null })} />
        ) : null}
      </div>
      {!permit || permit.ok ? null : (
        <Note tone="warn" shape="triangle">
          {permit.why}
        </Note>
      )}
    </div>
  )
}
