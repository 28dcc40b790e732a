import { Button } from '../Button'
import { uiWords } from '../words'
import type { Steady } from './steady'

/**
 * Rows added and removed since the table was frozen. Nothing moves until the user applies them here, or leaves the
 * table.
 */
export function Arrived<Row>({ steady, onShow }: { steady: Steady<Row>; onShow: () => void }) {
  const { arrived, gone } = steady
  if (arrived === 0 && gone.size === 0) return null
  return (
    <Button size="sm" onPress={onShow}>
      {uiWords.arrived(arrived, gone.size)}
    </Button>
  )
}
