import { redirect } from 'next/navigation'
import { paths } from '@/components/console/paths'

export default function Page() {
  redirect(paths.overview())
}
