import { createContext } from 'react'
import { paths } from '../../console/paths'

/** Where the name of an instance on the map leads. */
export const InstanceHref = createContext((id: string): string => paths.instance(id))
