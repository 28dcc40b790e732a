'use client'
import dynamic from 'next/dynamic'
import type { ComponentType } from 'react'
import { Pending } from '../console/Failure'
import { paths } from '../console/paths'
import { PREVIEW_SCOPE, type PreviewNoun, type PreviewTarget } from '../console/preview'
import { AddressScope } from '../console/url'
import { ButtonLink } from '../ui/Link'
import { Drawer } from '../ui/overlay/Dialog'
import { RenderBoundary } from '../ui/RenderFailure'
import { previewWords as words } from './words'

interface Preview {
  readonly path: (id: string) => string
  readonly Whole: ComponentType<{ readonly id: string }>
}

// Drawer contents load on open, so that lists stay light.
const PREVIEWS: Readonly<Record<PreviewNoun, Preview>> = {
  host: {
    path: (id) => paths.host(id),
    Whole: dynamic(() => import('./HostContent').then(({ HostContent }) => HostContent), {
      loading: () => <Pending />,
    }),
  },
  instance: {
    path: (id) => paths.instance(id),
    Whole: dynamic(() => import('./InstanceContent').then(({ InstanceContent }) => InstanceContent), {
      loading: () => <Pending />,
    }),
  },
  migration: {
    path: (id) => paths.migration(id),
    Whole: dynamic(() => import('./MigrationContent').then(({ MigrationContent }) => MigrationContent), {
      loading: () => <Pending />,
    }),
  },
}

/** A preview over the list: the same content as the object's page. */
export function OpenPreview({ previewed, onClose }: { previewed: PreviewTarget; onClose: () => void }) {
  const { path, Whole } = PREVIEWS[previewed.kind]
  return (
    <Drawer
      wide="preview"
      isOpen
      onClose={onClose}
      title={words.of[previewed.kind]}
      foot={<ButtonLink href={path(previewed.id)}>{words.work}</ButtonLink>}
    >
      <AddressScope value={PREVIEW_SCOPE}>
        <RenderBoundary key={previewed.id}>
          <Whole id={previewed.id} />
        </RenderBoundary>
      </AddressScope>
    </Drawer>
  )
}
