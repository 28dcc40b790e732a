import type { ReactNode } from 'react'
import { paths } from '../console/paths'
import { Copyable } from '../ui/Copyable'
import { ButtonLink } from '../ui/Link'
import { Panel } from '../ui/Panel'
import { overviewWords as words } from './words'

/** Ways to add hosts if there are none. */
export function FirstHosts() {
  const { addHost, demo, files, nova } = words.first
  return (
    <Panel title={words.first.title}>
      <ul className="m-0 grid list-none gap-x-6 gap-y-4 p-0 md:grid-cols-2 xl:grid-cols-4">
        <Way {...addHost}>
          <ButtonLink primary href={paths.hosts({ add: 'host' })}>
            {addHost.title}
          </ButtonLink>
        </Way>
        <Way {...demo}>
          <Copyable whole text={demo.command} />
        </Way>
        <Way {...files}>
          <Copyable whole text={files.command} />
        </Way>
        <Way {...nova}>
          <ButtonLink href={paths.providers()}>{nova.open}</ButtonLink>
        </Way>
      </ul>
    </Panel>
  )
}

function Way({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <li className="flex max-w-prose flex-col items-start gap-2">
      <h3 className="m-0 text-sm font-medium">{title}</h3>
      <p className="m-0 text-sm text-soft">{about}</p>
      {children}
    </li>
  )
}
