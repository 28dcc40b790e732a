/** Stands where there is nothing to say: it does not apply, or there is none. What cannot be known is `Unknown`. */
export const dash = <span className="text-faint">–</span>
