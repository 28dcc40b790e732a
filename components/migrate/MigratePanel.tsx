'use client'
import { useMutation } from '@tanstack/react-query'
import type { MigrationVerdictsView } from '@/server/api/explain/verdicts'
import type { InstanceDetail } from '@/server/api/instance/router'
import type { ApiInputs } from '@/server/api/router'
import type { Operation } from '@/server/engine/migration/state'
import { ActionFailure, Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { operationWords } from '../step/words'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { uiWords } from '../ui/words'
import type { useMigrateDrawer } from './address'
import { ExplainPane, useExplain } from './ExplainPane'
import { MigrateForm } from './MigrateForm'
import { refusalText } from './verdict-columns'
import { migrateWords as words } from './words'

type Address = ReturnType<typeof useMigrateDrawer>

interface MigratePanelProps {
  readonly address: Address
  readonly id: string
  readonly instance: {
    readonly data: InstanceDetail | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
}

/** Starts a migration, and explains refusals. The verdicts need only the instance's id, so they do not wait for it. */
export function MigratePanel({ address, id, instance }: MigratePanelProps) {
  const operation = address.operation ?? 'live-migrate'
  const input = questionOf({ id, operation, address })
  const explain = useExplain(input)
  const parts = { operation, address, instance: instance.data }
  if (instance.error && !instance.data) {
    return (
      <Loaded query={instance} what={words.notStarted}>
        {() => null}
      </Loaded>
    )
  }
  return (
    <div className="flex min-h-full flex-col gap-3 lg:h-full lg:min-h-0">
      <MigrateForm {...parts} />
      <ExplainPane
        input={input}
        query={explain}
        missing={operation === 'rebuild' ? words.chooseImage : words.chooseFlavor}
        filter={address}
        onFilter={address.set}
        picked={address.target}
        onPick={(target) => address.set({ target })}
      />
      <Start {...parts} input={input} view={explain.data ?? null} />
    </div>
  )
}

interface MigrateParts {
  /** Undefined while loading. */
  readonly instance: InstanceDetail | undefined
  readonly operation: Operation
  readonly address: Address
}

/** Null while the request lacks its flavor or image. */
function questionOf({
  id,
  operation,
  address,
}: Pick<MigrateParts, 'operation' | 'address'> & { readonly id: string }): ApiInputs['migrate']['explain'] | null {
  if (operation === 'resize' && !address.flavor) return null
  if (operation === 'rebuild' && !address.image) return null
  return {
    for: 'migrate',
    instance: id,
    operation,
    flavor: operation === 'resize' ? (address.flavor ?? undefined) : undefined,
    image: operation === 'rebuild' ? (address.image ?? undefined) : undefined,
    storage: operation === 'live-migrate' ? (address.storage ?? undefined) : undefined,
  }
}

interface StartProps extends MigrateParts {
  readonly input: ApiInputs['migrate']['explain'] | null
  readonly view: MigrationVerdictsView | null
}

function reasons({ instance, input, view, operation, address }: StartProps) {
  const permit = instance?.permitted[operation]
  const missing = operation === 'rebuild' ? words.chooseImage : words.chooseFlavor
  const general =
    permit && !permit.ok
      ? permit.why
      : !input
        ? missing
        : !view || !permit
          ? words.asking
          : view.permit.ok
            ? null
            : view.permit.why
  const picked = view?.hosts.find((row) => row.host.id === address.target) ?? null
  const able = view ? view.counts.ok + view.counts.warning > 0 : false
  return {
    picked,
    whyPicked: general ?? (picked ? refusalText(picked) : words.pickFirst),
    whyAny: general ?? (view && !able ? words.noHosts : null),
  }
}

function Start(props: StartProps) {
  const { instance, operation, address, input } = props
  const trpc = useTRPC()
  const { verb, done } = operationWords[operation]
  const { error, isPending, mutate } = useMutation(
    trpc.migrate.start.mutationOptions({
      onSuccess: ({ migration }) => {
        showToast('flow', uiWords.labelled(done, instance?.name ?? ''), {
          detail: words.startedMore,
          link: { href: paths.migration(migration), label: words.follow },
        })
        address.close()
      },
    }),
  )
  const { picked, whyPicked, whyAny } = reasons(props)
  const run = (host: string | undefined) => {
    if (input?.for !== 'migrate') return
    const { for: _question, ...migration } = input
    mutate({ ...migration, host })
  }
  const label = picked ? (picked.isSource ? words.startHere(verb) : words.start(verb, picked.host.name)) : verb
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      <ActionFailure error={error} what={words.notStarted} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabledReason={whyAny} isPending={isPending} onPress={() => run(undefined)}>
          {words.startAny(verb)}
        </Button>
        <Button variant="primary" disabledReason={whyPicked} isPending={isPending} onPress={() => run(picked?.host.id)}>
          {label}
        </Button>
      </div>
    </div>
  )
}
