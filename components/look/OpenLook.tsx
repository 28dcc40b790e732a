'use client'
import dynamic from 'next/dynamic'
import type { ComponentType } from 'react'
import { Pending } from '../console/Failure'
import { Drawn } from '../console/frame/Drawn'
import { LOOK_SCOPE, type LookedNoun, type PreviewTarget } from '../console/look'
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
const LOOKS: Readonly<Record<LookedNoun, Look>> = {
  host: {
    path: (id) => paths.host(id),
    Whole: dynamic(() => import('./WholeHost').then(({ WholeHost }) => WholeHost), { loading: () => <Pending /> }),
  },
  instance: {
    path: (id) => paths.instance(id),
    Whole: dynamic(() => import('./WholeInstance').then(({ WholeInstance }) => WholeInstance), {
      loading: () => <Pending />,
    }),
  },
  migration: {
    path: (id) => paths.migration(id),
    Whole: dynamic(() => import('./WholeMigration').then(({ WholeMigration }) => WholeMigration), {
      loading: () => <Pending />,
    }),
  },
}

/** A preview over the list: the same content as the object's page. */
export function OpenLook({ looked, onClose }: { looked: PreviewTarget; onClose: () => void }) {
  const { path, Whole } = LOOKS[looked.noun]
  return (
    <Drawer
      wide="look"
      isOpen
      onClose={onClose}
      title={words.of[looked.noun]}
      foot={<ButtonLink href={path(looked.id)}>{words.work}</ButtonLink>}
    >
      <AddressScope value={LOOK_SCOPE}>
        <Drawn key={looked.id}>
          <Whole id={looked.id} />
        </Drawn>
      </AddressScope>
    </Drawer>
  )
}
