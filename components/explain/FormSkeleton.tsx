import { cx } from '../ui/cx'
import type { Question } from './address'

/** Widths of the fields, here because their space is reserved before their code loads. */
export const fieldWidths = {
  move: 'w-72 max-w-full',
  operation: 'w-44',
  flavor: 'w-64',
  vcpus: 'w-24',
  memory: 'w-28',
  disk: 'w-24',
  specs: 'w-96 max-w-full',
  zone: 'w-32',
  image: 'w-44',
  group: 'w-36',
} as const

type Field = keyof typeof fieldWidths

const TYPED = ['vcpus', 'memory', 'disk', 'specs'] as const satisfies readonly Field[]
const PLACE = ['zone', 'image', 'group'] as const satisfies readonly Field[]

/** Wraps as the fields will, so that nothing below moves when they load. */
export function FormSkeleton({ question: { instance, vcpus } }: { question: Question }) {
  const shape: readonly Field[] = vcpus === null ? ['flavor'] : TYPED
  return (
    <div aria-hidden="true" aria-busy="true" className="flex flex-wrap items-end gap-3">
      {instance ? <span className={`h-7 ${fieldWidths.move}`} /> : null}
      {instance ? <Part width={fieldWidths.operation} /> : null}
      <span className="appear-late h-7 w-[7.8rem] rounded-md bg-line/70" />
      {shape.map((field) => (
        <Part key={field} width={fieldWidths[field]} />
      ))}
      {instance ? null : PLACE.map((field) => <Part key={field} width={fieldWidths[field]} />)}
    </div>
  )
}

/** The height of a field with its label. */
const Part = ({ width }: { width: string }) => (
  <span className={cx('flex h-[50px] flex-col justify-end', width)}>
    <span className="appear-late h-7 rounded-md bg-line/70" />
  </span>
)
