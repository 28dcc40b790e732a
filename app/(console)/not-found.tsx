import { NotFoundPage } from '@/components/console/NotFoundPage'

export default NotFoundPage
