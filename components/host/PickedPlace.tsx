'use client'
import { useQuery } from '@tanstack/react-query'
import type { UnitSpan } from '@/server/api/device/router'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { ShownByHost } from '../device/ShownByHost'
import { UnitHistory } from '../device/UnitHistory'
import { deviceWords } from '../device/words'
import { TextLink } from '../ui/Link'

const SHOWN = 6 // of its holders, so that the picture beside it stays in view

/** The history as of then: without later holders, and with holders still there that have left since. */
function historyAt(history: readonly UnitSpan[], at: number): readonly UnitSpan[] {
  return history
    .filter(({ from }) => from === null || from <= at)
    .map((span) => (span.to !== null && span.to > at ? { ...span, to: null, wentBy: null } : span))
}

/** Holders and hypervisor state of a place on the map. The devices page shows all of it. */
export function PickedPlace({ host, unit, at }: { host: string; unit: string; at: number | null }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.device.byUnit.queryOptions({ host, unit }, { retry: false }))
  return (
    <>
      <TextLink href={paths.devices({ host, unit })}>{deviceWords.historyLink(unit)}</TextLink>
      <Loaded query={query} what={deviceWords.history}>
        {({ history, knownSince, drift }) => (
          <>
            {drift && at === null ? <ShownByHost drift={drift} /> : null}
            <UnitHistory
              history={at === null ? history : historyAt(history, at)}
              knownSince={knownSince}
              most={SHOWN}
            />
          </>
        )}
      </Loaded>
    </>
  )
}
