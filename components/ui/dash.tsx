/** Stands for a value that does not apply or does not exist. An unknown value is `Unknown`. */
export const dash = <span className="text-faint">–</span>
