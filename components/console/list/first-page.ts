/** What is asked of a long list at first. */
export const FIRST_PAGE = { offset: 0, limit: 200 }
