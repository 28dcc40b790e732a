import { Button } from '../Button'
import { uiWords } from '../words'
import type { Steady } from './steady'

/** What came and went since the rows are held. Nothing moves until somebody asks for it here, or lets go of the table. */
export function Arrived<Row>({ steady, onShow }: { steady: Steady<Row>; onShow: () => void }) {
  const { arrived, gone } = steady
  if (arrived === 0 && gone.size === 0) return null
  return (
    <Button size="sm" onPress={onShow}>
      {uiWords.arrived(arrived, gone.size)}
    </Button>
  )
}
