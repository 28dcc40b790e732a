import { atDoor } from '@/server/api/at-door'
import { running } from '@/server/api/running'

export const dynamic = 'force-dynamic'

// Methods that no route of the API has come along too: it is the API that refuses them, in its own words.
const handle = (request: Request): Promise<Response> => atDoor(running(), (doors) => doors.placement(request))

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
