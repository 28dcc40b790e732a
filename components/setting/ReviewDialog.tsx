'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MigrationRulesView } from '@/server/api/setting/router'
import type { MigrationRules } from '@/server/engine/migration/rules'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { DiffLines } from '../ui/DiffLines'
import { showToast } from '../ui/overlay/Toasts'
import { lastOf, type RuleSection } from './sections'
import { ruleText, sectionWords, settingWords as words } from './words'

/** The change as it will be written, and when it takes effect. A concurrent change is not overwritten. */
export function ReviewDialog(props: {
  readonly section: RuleSection
  readonly before: MigrationRulesView
  /** Only the changed rules. */
  readonly after: Partial<MigrationRules>
  readonly onDone: () => void
  readonly onClose: () => void
}) {
  const { section, before, after, onDone, onClose } = props
  const { title, effect } = sectionWords[section.id]
  const trpc = useTRPC()
  const queries = useQueryClient()
  const set = useMutation(
    trpc.setting.setRules.mutationOptions({
      onSuccess: (now) => {
        queries.setQueryData(trpc.setting.rules.queryKey(), now)
        showToast('ok', words.done(title))
        onDone()
      },
      // After a concurrent change, the next attempt must start from the new rules.
      onError: () => void queries.invalidateQueries(trpc.setting.rules.queryFilter()),
    }),
  )
  const changing = Object.keys(after) as (keyof MigrationRules)[]
  return (
    <MutationDialog
      needsReason
      onClose={onClose}
      title={words.changing(title)}
      confirmLabel={words.save}
      consequences={
        <div className="flex flex-col gap-3">
          <DiffLines
            label={words.changing(title)}
            lines={changing.map((rule) => ({
              key: rule,
              sign: '~' as const,
              what: title,
              before: ruleText[rule](before[rule] as never),
              after: ruleText[rule](after[rule] as never),
            }))}
          />
          <p className="m-0 text-soft">{effect}</p>
        </div>
      }
      mutation={set}
      onConfirm={(reason) =>
        set.mutate({ ...after, readAt: lastOf(before, changing)?.at ?? null, reason: reason ?? '' })
      }
    />
  )
}
