'use client'
import { useQuery } from '@tanstack/react-query'
import type { Operation } from '@/server/engine/migration/state'
import { InstanceLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { FlavorChoice } from '../migrate/choice/choices'
import { operationWords } from '../step/words'
import { Button } from '../ui/Button'
import { TextField } from '../ui/field/Field'
import { NumberField } from '../ui/field/NumberField'
import { PlainSelect } from '../ui/field/PlainSelect'
import { ToggleGroup } from '../ui/field/ToggleGroup'
import { uiWords } from '../ui/words'
import type { Question } from './address'
import { PlaceFields } from './PlaceFields'
import { writeSpecs } from './specs'
import { explainWords as words } from './words'

const WAYS = ['flavor', 'shape'] as const
const OPERATIONS = Object.keys(operationWords) as readonly Operation[]
const WIDTHS = { vcpus: 'w-24', memory: 'w-28', disk: 'w-24' } as const
/** Initial custom shape if no flavor was chosen before. */
const FIRST = { vcpus: 2, memory: 2048, disk: 10, specs: '' }

export function QuestionForm({ question }: { question: Question }) {
  return (
    <section aria-label={words.form} className="flex flex-wrap items-end gap-3">
      {question.instance ? (
        <InstanceQuestion question={question} id={question.instance} />
      ) : (
        <>
          <ShapeFields question={question} />
          <PlaceFields question={question} />
        </>
      )}
    </section>
  )
}

function InstanceQuestion({ question, id }: { question: Question; id: string }) {
  const trpc = useTRPC()
  const instance = useQuery(trpc.instance.byId.queryOptions({ id }))
  return (
    <>
      <p className="m-0 flex h-7 w-96 max-w-full items-center gap-2 text-sm">
        <span className="shrink-0 text-soft">{words.migrationOf}</span>
        <span className="truncate" title={instance.data?.name}>
          {instance.data ? <InstanceLink instance={instance.data} /> : id.slice(0, 8)}
        </span>
        <Button size="sm" variant="quiet" onPress={() => question.set({ instance: null, operation: null })}>
          {words.asBuild}
        </Button>
      </p>
      <PlainSelect
        label={words.operation}
        className="w-44"
        value={question.operation ?? 'live-migrate'}
        onChange={(operation) => question.set({ operation, host: null })}
        choices={OPERATIONS.map((id) => ({ id, label: operationWords[id].verb }))}
      />
      <ShapeFields question={question} current={instance.data?.flavor.name} />
    </>
  )
}

/** The flavor, or a custom shape instead. Until another is chosen, an instance is asked about with its `current` one. */
export function ShapeFields({ question, current = null }: { question: Question; current?: string | null }) {
  const flavor = question.flavor ?? current
  const typed = question.vcpus !== null
  const trpc = useTRPC()
  const flavors = useQuery(trpc.flavor.list.queryOptions())
  const typeIt = () => {
    const known = flavors.data?.find((each) => each.name === flavor)
    const from = known
      ? { vcpus: known.vcpus, memory: known.memoryMib, disk: known.diskGib, specs: writeSpecs(known.extraSpecs) }
      : FIRST
    question.set({ ...from, q: null })
  }
  const unType = () => question.set({ vcpus: null, memory: null, disk: null, specs: null, q: null })
  return (
    <>
      <ToggleGroup
        label={words.by}
        value={typed ? 'shape' : 'flavor'}
        onChange={(way) => (way === 'shape' ? typeIt() : unType())}
        choices={WAYS.map((id) => ({ id, label: words.ways[id] }))}
      />
      {typed ? (
        <Typed question={question} />
      ) : (
        <FlavorChoice
          label={words.flavor}
          className="w-64"
          value={flavor}
          onChange={(flavor) => question.set({ flavor, q: null, host: null })}
        />
      )}
    </>
  )
}

function Typed({ question }: { question: Question }) {
  const amount = (key: 'vcpus' | 'memory' | 'disk', least: number, first: number) => (
    <NumberField
      className={WIDTHS[key]}
      label={words[key]}
      minValue={least}
      value={question[key] ?? first}
      onChange={(next) => question.set({ [key]: Number.isNaN(next) ? least : next })}
    />
  )
  return (
    <>
      {amount('vcpus', 1, FIRST.vcpus)}
      {amount('memory', 1, FIRST.memory)}
      {amount('disk', 0, 0)}
      <TextField
        mono
        className="w-96 max-w-full"
        label={uiWords.labelled(words.specs, words.specsHelp)}
        value={question.specs ?? ''}
        onChange={(specs) => question.set({ specs: specs || null })}
      />
    </>
  )
}
