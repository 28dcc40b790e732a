/** The first request of a long list. */
export const FIRST_PAGE = { offset: 0, limit: 200 }
