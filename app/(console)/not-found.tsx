import { consoleWords } from '@/components/console/words'
import { EmptyState } from '@/components/ui/Message'

export default function NotFound() {
  return <EmptyState title={consoleWords.error.notFound}>{consoleWords.error.notFoundMore}</EmptyState>
}
