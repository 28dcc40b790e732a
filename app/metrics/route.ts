import { atDoor } from '@/server/api/at-door'
import { running } from '@/server/api/running'

export const dynamic = 'force-dynamic'

export const GET = (request: Request): Promise<Response> => atDoor(running(), (doors) => doors.metrics(request))
