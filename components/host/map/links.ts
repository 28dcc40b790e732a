import { createContext } from 'react'
import { paths } from '../../console/paths'

/** Link target of an instance's name on the map. */
export const InstanceHref = createContext((id: string): string => paths.instance(id))
