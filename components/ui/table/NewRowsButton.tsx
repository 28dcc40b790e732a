import { Button } from '../Button'
import { uiWords } from '../words'
import type { Steady } from './steady'

/** Rows added and removed while rows are held. Nothing moves until it is requested here or the table is left. */
export function NewRowsButton<Row>({ steady, onShow }: { steady: Steady<Row>; onShow: () => void }) {
  const { arrived, removedKeys } = steady
  if (arrived === 0 && removedKeys.size === 0) return null
  return (
    <Button size="sm" onPress={onShow}>
      {uiWords.arrived(arrived, removedKeys.size)}
    </Button>
  )
}
