// The look of every list that opens over the page: menus, selects, suggestions of a filter.

export const popClasses =
  'z-50 min-w-44 overflow-auto rounded-md border border-line bg-raised p-1 shadow-pop outline-none'

export const itemClasses =
  'flex cursor-default flex-col rounded-sm px-2 py-1 text-sm -outline-offset-2 not-focus-visible:outline-none focus:bg-hover selected:font-medium'
