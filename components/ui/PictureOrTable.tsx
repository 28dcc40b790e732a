'use client'
import type { ReactNode } from 'react'
import { ToggleGroup } from './field/ToggleGroup'
import { Panel } from './Panel'
import { uiWords } from './words'

const PICTURE_VIEWS = ['picture', 'table'] as const
export type PictureView = (typeof PICTURE_VIEWS)[number]

interface ToggleProps {
  readonly view: PictureView
  readonly onView: (view: PictureView) => void
}

/** Shows a picture or its equivalent table. */
export const PictureToggle = ({ label, view, onView }: ToggleProps & { readonly label: string }) => (
  <ToggleGroup
    label={label}
    value={view}
    onChange={onView}
    choices={PICTURE_VIEWS.map((id) => ({ id, label: uiWords[id] }))}
  />
)

/** A picture and its equivalent table; the address holds which one is shown, so the caller controls it. */
export function PictureOrTable(
  props: ToggleProps & {
    readonly title: string
    readonly aside: ReactNode
    readonly picture: ReactNode
    readonly table: ReactNode
  },
) {
  const { title, view, onView } = props
  return (
    <Panel
      title={title}
      aside={
        <>
          {props.aside}
          <PictureToggle label={uiWords.named(title, uiWords.shownAs)} view={view} onView={onView} />
        </>
      }
    >
      {view === 'table' ? props.table : props.picture}
    </Panel>
  )
}
