import type { MapDevice } from '@/server/api/device/view'
import { Tag } from '../../ui/Badge'
import { PlaceButton } from './PlaceButton'
import type { MapUnit } from './places'
import { mapWords, roleWords } from './words'

interface Props {
  readonly devices: readonly MapDevice[]
  readonly units: ReadonlyMap<string, MapUnit>
  readonly selectedUnit: string | null
}

/** Devices under their NUMA node: each card with its functions. */
export function DeviceList({ devices, units, selectedUnit }: Props) {
  if (devices.length === 0) return null
  return (
    <ul aria-label={mapWords.devices} className="m-0 flex list-none flex-col gap-1.5 border-t border-line p-0 pt-2">
      {devices.map((device) => (
        <li key={device.unit} className="min-w-0">
          <Card device={device} units={units} selectedUnit={selectedUnit} />
        </li>
      ))}
    </ul>
  )
}

function Card({ device, units, selectedUnit }: { device: MapDevice } & Omit<Props, 'devices'>) {
  const place = units.get(device.unit)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex min-w-0 items-center gap-1.5 text-xs">
        <Tag>{roleWords[device.role]}</Tag>
        {place ? (
          <PlaceButton wide place={place} text={device.name} kept={selectedUnit === device.unit} />
        ) : (
          <span className="font-mono">{device.name}</span>
        )}
        <span className="truncate text-faint" title={device.label}>
          {device.label}
        </span>
      </div>
      {device.children.length > 0 ? (
        <div className="flex flex-wrap gap-1 pl-2">
          {device.children.map((child) => {
            const own = units.get(child.unit)
            return own ? (
              <PlaceButton
                key={child.unit}
                wide
                place={own}
                text={shortName(child)}
                kept={selectedUnit === child.unit}
              />
            ) : null
          })}
        </div>
      ) : null}
    </div>
  )
}

/** Under its card only the last part of an address distinguishes siblings. */
function shortName({ role, name, label }: MapDevice): string {
  if (role === 'vf') return name.split(':').at(-1) ?? name
  if (role === 'vgpu') return name.split(':').slice(-2).join(':')
  return role === 'namespace' && label ? `${name} ${label}` : name
}
