'use client'
import type { FormEvent } from 'react'
import { FileTrigger } from 'react-aria-components'
import { Button } from '../ui/Button'
import { TextField } from '../ui/field/Field'
import { Panel } from '../ui/Panel'
import { addCloudWords as words } from './words'

export interface Files {
  readonly clouds: string
  readonly secure: string
  readonly ca: string
}

export const NO_FILES: Files = { clouds: '', secure: '', ca: '' }

const TYPES: Readonly<Record<keyof Files, readonly string[]>> = {
  clouds: ['.yaml', '.yml'],
  secure: ['.yaml', '.yml'],
  ca: ['.pem', '.crt'],
}

interface Props {
  readonly files: Files
  readonly onChange: (files: Files) => void
  readonly onRead: () => void
}

/** The contents stay in this page's memory until they are sent. */
export function CloudFiles({ files, onChange, onRead }: Props) {
  const why = files.clouds.trim() === '' ? words.needFile : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (why === null) onRead()
  }
  const field = (name: keyof Files) => (
    <FileField name={name} value={files[name]} onChange={(text) => onChange({ ...files, [name]: text })} />
  )
  return (
    <Panel title={words.sections.files}>
      <form onSubmit={submit} className="flex max-w-3xl flex-col gap-3">
        <p className="m-0 text-sm text-soft">{words.readOnlyFirst}</p>
        {field('clouds')}
        {field('secure')}
        {field('ca')}
        <div className="flex justify-end">
          <Button type="submit" variant="primary" disabledReason={why}>
            {words.read}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

function FileField({ name, value, onChange }: { name: keyof Files; value: string; onChange: (text: string) => void }) {
  const take = async (files: FileList | null) => {
    const file = files?.[0]
    if (file) onChange(await file.text())
  }
  return (
    <div className="flex flex-col items-start gap-1">
      <TextField multiline mono label={words[name]} value={value} onChange={onChange} className="w-full" />
      <FileTrigger acceptedFileTypes={TYPES[name]} onSelect={(files) => void take(files)}>
        <Button size="sm">{words.choose(words[name].replace(/ \(.*/, ''))}</Button>
      </FileTrigger>
    </div>
  )
}
