/** The logo: two ships at one berth, for the two claims of a migration. */
export function Mark() {
  return (
    <svg viewBox="0 0 18 18" width="18" height="18" aria-hidden="true" className="text-accent">
      <path d="M1 16.2h16" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      <path d="M2 3h5.4v7.2a2.7 2.7 0 0 1-5.4 0z" fill="currentColor" />
      <path d="M10.6 3H16v7.2a2.7 2.7 0 0 1-5.4 0z" fill="none" stroke="currentColor" strokeWidth="1.4" />
    </svg>
  )
}
