import { atDoor } from '@/server/api/at-door'
import { running } from '@/server/api/running'

export const dynamic = 'force-dynamic'

const handle = (request: Request): Promise<Response> => atDoor(running(), (doors) => doors.trpc(request))

export { handle as GET, handle as POST }
