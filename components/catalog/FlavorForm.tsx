'use client'
import { useState } from 'react'
import type { Flavor } from '@/server/engine/demand'
import { Button } from '../ui/Button'
import { TextField } from '../ui/field/Field'
import { NumberField } from '../ui/field/NumberField'
import { Menu } from '../ui/overlay/Menu'
import { EntryDialog, type FormProps, NameField } from './EntryDialog'
import { type ParseResult, readSpecs, specsText } from './lines'
import { specHints, catalogWords as words } from './words'

const NEW: Flavor = { name: '', vcpus: 2, memoryMib: 4096, diskGib: 20, extraSpecs: {} }

export function FlavorForm(props: FormProps<'flavor'>) {
  const { entry } = props.editing
  const [flavor, setFlavor] = useState<Flavor>(entry?.value ?? NEW)
  const [specs, setSpecs] = useState(specsText(flavor.extraSpecs))
  const read = readSpecs(specs)
  const typed: ParseResult<Flavor> = read.ok ? { ok: true, value: { ...flavor, extraSpecs: read.value } } : read
  const amount = (key: 'vcpus' | 'memoryMib' | 'diskGib', minValue: number) => (
    <NumberField
      label={words[key]}
      className="w-32"
      value={flavor[key]}
      minValue={minValue}
      onChange={(value) => setFlavor({ ...flavor, [key]: value })}
    />
  )
  return (
    <EntryDialog {...props} typed={typed}>
      <NameField value={flavor.name} isNew={entry === null} onChange={(name) => setFlavor({ ...flavor, name })} />
      <div className="flex flex-wrap gap-3">
        {amount('vcpus', 1)}
        {amount('memoryMib', 1)}
        {amount('diskGib', 0)}
      </div>
      <TextField
        multiline
        mono
        label={words.specs}
        help={words.specsHelp}
        value={specs}
        onChange={setSpecs}
        error={read.ok ? null : read.why}
      />
      <Menu
        label={words.addSpec}
        trigger={
          <Button size="sm" className="self-start">
            {words.addSpec}
          </Button>
        }
        entries={Object.entries(specHints).map(([line, hint]) => ({
          ...{ id: line, label: line, hint },
          onAction: () => setSpecs((before) => [before.trimEnd(), line].filter(Boolean).join('\n')),
        }))}
      />
      {entry && entry.uses > 0 ? <p className="m-0 text-soft">{words.keeps(entry.uses)}</p> : null}
    </EntryDialog>
  )
}
