'use client'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { ShownByHost } from '../device/ShownByHost'
import { UnitHistory } from '../device/UnitHistory'
import { deviceWords } from '../device/words'
import { TextLink } from '../ui/Link'

const SHOWN = 6 // of its holders, so that the picture beside it stays in sight

/** Of a place on the map: who held it, and what its hypervisor says. All of it is on the page of devices. */
export function PickedPlace({ host, unit }: { host: string; unit: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.device.byUnit.queryOptions({ host, unit }, { retry: false }))
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-2">
      <Loaded query={query} what={deviceWords.history}>
        {({ history, knownSince, drift }) => (
          <>
            {drift ? <ShownByHost drift={drift} /> : null}
            <UnitHistory history={history} knownSince={knownSince} most={SHOWN} />
          </>
        )}
      </Loaded>
      <TextLink href={paths.devices({ host, unit })}>{deviceWords.back}</TextLink>
    </div>
  )
}
