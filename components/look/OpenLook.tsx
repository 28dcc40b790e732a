'use client'
import dynamic from 'next/dynamic'
import type { ComponentType } from 'react'
import { Pending } from '../console/Failure'
import { Drawn } from '../console/frame/Drawn'
import { type LookedNoun, PREVIEW_SCOPE, type PreviewTarget } from '../console/look'
import { paths } from '../console/paths'
import { AddressScope } from '../console/url'
import { ButtonLink } from '../ui/Link'
import { Drawer } from '../ui/overlay/Dialog'
import { lookWords as words } from './words'

interface Look {
  readonly path: (id: string) => string
  readonly Whole: ComponentType<{ readonly id: string }>
}

// Drawer contents load on open, so that lists stay light.
const PREVIEWS: Readonly<Record<LookedNoun, Look>> = {
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
export function OpenLook({ looked, onClose }: { looked: PreviewTarget; onClose: () => void }) {
  const { path, Whole } = PREVIEWS[looked.noun]
  return (
    <Drawer
      wide="look"
      isOpen
      onClose={onClose}
      title={words.of[looked.noun]}
      foot={<ButtonLink href={path(looked.id)}>{words.work}</ButtonLink>}
    >
      <AddressScope value={PREVIEW_SCOPE}>
        <Drawn key={looked.id}>
          <Whole id={looked.id} />
        </Drawn>
      </AddressScope>
    </Drawer>
  )
}
