/** The look of all text inputs. */
export const inputClasses =
  'h-7 w-full min-w-0 rounded-md border border-edge bg-surface px-2 text-sm text-ink placeholder:text-faint user-invalid:border-bad aria-invalid:border-bad disabled:opacity-60'
