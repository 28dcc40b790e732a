// The entry of a planning thread. A thread does not inherit its parent's loader, so it registers its own.
import { register } from 'tsx/esm/api'

register()
await import('./planner-work.ts')
