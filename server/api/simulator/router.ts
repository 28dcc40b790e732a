import { z } from 'zod'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { readInstanceView } from '../../store/migration/view'
import type { Subject } from '../permit/subjects'
import { bytesPerS, hostId, instanceId, object, oneOf, unitName } from '../procedure/inputs'
import { operator, router } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import type { DriverOperationKind } from './controls'

const VERBS = [
  'prepare',
  'transfer',
  'stopTransfer',
  'forceTransfer',
  'locate',
  'runAt',
  'clean',
  'build',
  'destroy',
  'power',
] as const satisfies DriverOperationKind[]
type Power = 'go-silent' | 'return' | 'fence' | 'kill' | 'power-cycle' | 'clear-faults'

const power = <const W extends Power>(word: W) => object({ do: z.literal(word), host: hostId })

const device = <const W extends string>(word: W) => object({ do: z.literal(word), host: hostId, unit: unitName })

const faultInput = z.discriminatedUnion(
  'do',
  [
    power('go-silent'),
    power('return'),
    power('fence'),
    power('kill'),
    power('power-cycle'),
    power('clear-faults'),
    object({
      do: z.literal('next-verb'),
      host: hostId,
      verb: oneOf(VERBS),
      // biome-ignore lint/suspicious/noThenProperty: a word of the fault plan, and never a function
      then: oneOf(['fail', 'lose-answer', 'half']),
    }),
    object({ do: z.literal('bandwidth'), host: hostId, bytesPerS }),
    device('take-device'),
    device('put-device-back'),
    device('keep-attached'),
    device('detach-device'),
    object({ do: oneOf(['crash', 'shut-down', 'ignore-button', 'obey-button']), instance: instanceId }),
    object({ do: z.literal('dirty-rate'), instance: instanceId, bytesPerS }),
  ],
  { error: 'expected an object with `do`, one of the faults' },
)

const faulty = (input: z.output<typeof faultInput>): readonly Subject[] => [
  'instance' in input ? { of: 'instance', id: input.instance } : { of: 'host', id: input.host },
]

export const simulatorRouter = router({
  /** Injected faults. Only on simulated hosts: a real host is never touched from here. */
  fault: operator.on(faultInput, faulty).mutation(async ({ ctx, input }): Promise<{ appliedAt: number }> => {
    const { services, caller, requestId } = ctx
    const simulator = services.simulator ?? refuseReal('the simulator', 'no host is simulated')
    if ('unit' in input) await faultyDevice(services, input)
    else if ('host' in input) simulatedHost(services, input.host)
    else await simulatedInstance(services, input.instance)
    await simulator.fault(input)
    services.log.info({ requestId, who: caller.username, fault: input }, 'injected fault')
    return { appliedAt: services.now() }
  }),
})

function simulatedHost({ fleet }: Pick<ApiServices, 'fleet'>, id: HostId): void {
  const host = fleet.host(id) ?? refuseUnknown('host', id)
  if (host.driver !== 'simulated') refuseReal(host.name, `driven by ${host.driver}`)
}

interface FaultyDevice {
  readonly do: string
  readonly host: HostId
  readonly unit: string
}

async function faultyDevice({ fleet, simulator }: ApiServices, fault: FaultyDevice): Promise<void> {
  simulatedHost({ fleet }, fault.host)
  const host = fleet.host(fault.host)
  if (!host?.devices.some(({ unit }) => unit === fault.unit)) refuseUnknown('unit', fault.unit)
  if (fault.do !== 'keep-attached' || (await simulator?.attachedTo(fault.host, fault.unit))) return
  const need = 'attached to an instance'
  refuse('wrong-state', { need, have: 'attached to none', what: 'Inject a fault', where: fault.unit })
}

async function simulatedInstance(services: ApiServices, id: InstanceId): Promise<void> {
  const view = (await readInstanceView(services.database, id)) ?? refuseUnknown('instance', id)
  const { host, name } = view.instance
  if (host === null) refuseReal(name, 'on no host')
  else simulatedHost(services, host)
}

function refuseReal(where: string, have: string): never {
  refuse('wrong-state', { need: 'a simulated host', have, what: 'Inject a fault', where })
}
