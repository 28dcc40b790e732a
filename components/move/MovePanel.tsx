'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ExplainView } from '@/server/api/explain/verdicts'
import type { InstanceDetail } from '@/server/api/instance/router'
import type { ApiInputs } from '@/server/api/router'
import type { Operation } from '@/server/engine/migration/state'
import { Failure, Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { operationWords } from '../step/words'
import { Button } from '../ui/Button'
import { Drawer } from '../ui/overlay/Dialog'
import { tell } from '../ui/overlay/Toasts'
import { uiWords } from '../ui/words'
import type { useMoveDrawer } from './address'
import { ExplainPane, useExplain } from './ExplainPane'
import { MoveForm } from './MoveForm'
import { moveWords as words } from './words'

type Address = ReturnType<typeof useMoveDrawer>

/** Start a move, and see why not there. */
export function MovePanel({ address }: { address: Address }) {
  const trpc = useTRPC()
  const id = address.move
  const query = useQuery(trpc.instance.byId.queryOptions({ id: id ?? '' }, { enabled: id !== null }))
  if (!id) return null
  const operation = address.operation ?? 'live-migrate'
  const { verb } = operationWords[operation]
  return (
    <Drawer wide="work" isOpen onClose={address.close} title={words.title(verb, query.data?.name ?? '')}>
      <Loaded query={query} what={words.notStarted}>
        {(instance) => <Move instance={instance} operation={operation} address={address} />}
      </Loaded>
    </Drawer>
  )
}

interface MoveProps {
  readonly instance: InstanceDetail
  readonly operation: Operation
  readonly address: Address
}

/** Null while the question lacks its flavor or image. */
function questionOf({ instance, operation, address }: MoveProps): ApiInputs['move']['explain'] | null {
  if (operation === 'resize' && !address.flavor) return null
  if (operation === 'rebuild' && !address.image) return null
  return {
    for: 'move',
    instance: instance.id,
    operation,
    flavor: operation === 'resize' ? (address.flavor ?? undefined) : undefined,
    image: operation === 'rebuild' ? (address.image ?? undefined) : undefined,
    storage: operation === 'live-migrate' ? (address.storage ?? undefined) : undefined,
  }
}

function Move(props: MoveProps) {
  const { operation, address } = props
  const input = questionOf(props)
  const explain = useExplain(input)
  return (
    <div className="flex h-full min-h-0 flex-col gap-3">
      <MoveForm {...props} />
      <ExplainPane
        input={input}
        query={explain}
        missing={operation === 'rebuild' ? words.chooseImage : words.chooseFlavor}
        filter={address.verdict}
        onFilter={(verdict) => address.set({ verdict })}
        picked={address.target}
        onPick={(target) => address.set({ target })}
      />
      <Start {...props} input={input} view={explain.data ?? null} />
    </div>
  )
}

interface StartProps extends MoveProps {
  readonly input: ApiInputs['move']['explain'] | null
  readonly view: ExplainView | null
}

function reasons({ instance, input, view, operation, address }: StartProps) {
  const permit = instance.permitted[operation]
  const missing = operation === 'rebuild' ? words.chooseImage : words.chooseFlavor
  const general = !permit.ok
    ? permit.why
    : !input
      ? missing
      : !view
        ? words.asking
        : view.permit.ok
          ? null
          : view.permit.why
  const picked = view?.hosts.find((row) => row.host.id === address.target) ?? null
  const able = view ? view.counts.ok + view.counts.warning > 0 : false
  return {
    picked,
    whyPicked: general ?? (picked ? (picked.verdict === 'refused' ? words.notOk : null) : words.pickFirst),
    whyAny: general ?? (view && !able ? words.noHosts : null),
  }
}

function Start(props: StartProps) {
  const { instance, operation, address, input } = props
  const trpc = useTRPC()
  const { verb, done } = operationWords[operation]
  const start = useMutation(
    trpc.move.start.mutationOptions({
      onSuccess: ({ migration }) => {
        tell('flow', uiWords.labelled(done, instance.name), {
          detail: words.startedMore,
          link: { href: paths.migration(migration), label: words.follow },
        })
        address.close()
      },
    }),
  )
  const { picked, whyPicked, whyAny } = reasons(props)
  const run = (host: string | undefined) => {
    if (input?.for !== 'move') return
    const { for: _question, ...move } = input
    start.mutate({ ...move, host })
  }
  const label = picked ? (picked.isSource ? words.startHere(verb) : words.start(verb, picked.host.name)) : verb
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      {start.error ? <Failure error={start.error} title={consoleWords.error.action(words.notStarted)} /> : null}
      <div className="flex justify-end gap-2">
        <Button why={whyAny} isPending={start.isPending} onPress={() => run(undefined)}>
          {words.startAny(verb)}
        </Button>
        <Button look="primary" why={whyPicked} isPending={start.isPending} onPress={() => run(picked?.host.id)}>
          {label}
        </Button>
      </div>
    </div>
  )
}
