/** Global keys; keys that open a page are listed with the pages. */
export const keyTable = [
  ['j / k', 'next and previous row; Tab leaves the rows'],
  ['Enter', 'open the row'],
  ['Space', 'preview the row'],
  ['x', 'select the row'],
  ['/', 'go to the filter; Enter there goes to the rows'],
  ['arrows', 'in a chart or map: move to the next item'],
  ['Space', 'in a map: select the item; Enter opens its holder'],
  ['Shift Enter', 'on a column header: add it to the sort order'],
  ['Ctrl Enter', 'in a reason: confirm the dialog'],
  ['Ctrl K', 'search'],
  ['?', 'this list'],
  ['Esc', 'close the dialog or drawer'],
] as const
