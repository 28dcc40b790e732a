/** Rows of a list that are asked for at once. */
export const PAGE_ROWS = 200

/** What a list asks first when its address says nothing else. */
export const firstRows = (input: object = {}) => ({ ...input, offset: 0, limit: PAGE_ROWS })
