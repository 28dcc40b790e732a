'use client'
import { useMutation } from '@tanstack/react-query'
import { ActionFailure } from '../console/Failure'
import { useTRPCClient } from '../console/trpc'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { saveText } from '../ui/save-text'
import { bundleWords as words } from './words'

/** Downloads one file with everything known about a migration or a host, secrets removed. */
export function BundleButton({ about }: { about: { readonly migration: string } | { readonly host: string } }) {
  const client = useTRPCClient()
  const bundle = useMutation({
    mutationFn: () => client.bundle.create.query(about),
    onSuccess: ({ name, text }) => {
      saveText(name, text)
      showToast('ok', words.done, { detail: words.doneMore(name) })
    },
  })
  return (
    <>
      <Button isPending={bundle.isPending} onPress={() => bundle.mutate()}>
        {bundle.isPending ? words.making : words.button}
      </Button>
      <ActionFailure error={bundle.error} what={words.button} />
    </>
  )
}
