'use client'
import type { ReactNode } from 'react'
import { ToggleGroup } from './field/ToggleGroup'
import { Panel } from './Panel'
import { uiWords } from './words'

export const PICTURE_VIEWS = ['picture', 'table'] as const
export type PictureView = (typeof PICTURE_VIEWS)[number]

/** A picture and its equivalent table; the address holds which one is shown, so the caller controls it. */
export function PictureOrTable(props: {
  readonly title: string
  readonly aside?: ReactNode
  readonly view: PictureView
  readonly onView: (view: PictureView) => void
  readonly picture: ReactNode
  readonly table: ReactNode
}) {
  return (
    <Panel
      title={props.title}
      aside={
        <>
          {props.aside}
          <ToggleGroup
            label={uiWords.named(props.title, uiWords.shownAs)}
            value={props.view}
            onChange={props.onView}
            choices={PICTURE_VIEWS.map((id) => ({ id, label: uiWords[id] }))}
          />
        </>
      }
    >
      {props.view === 'table' ? props.table : props.picture}
    </Panel>
  )
}
