import type { CloudCallView } from '@/server/api/cloud/view'
import { cloudWords as words } from './words'

/** Calls in order, each with its purpose, body and undo. `undo`: the action that reverts them instead. */
export const CloudCalls = ({ calls, undo: undoneBy }: { calls: readonly CloudCallView[]; undo?: string | null }) => (
  <ol className="m-0 flex w-full list-none flex-col gap-2 p-0 text-sm">
    {calls.map(({ does, call, body, undo }, at) => (
      <li key={`${call} ${body} ${does}`} className="rounded-md border border-line p-2">
        {calls.length > 1 ? <span className="text-xs text-soft">{words.call(at + 1)}</span> : null}
        <p className="m-0 break-words">{does}</p>
        <p className="m-0 font-mono text-xs break-all">{call}</p>
        {body === '' ? null : (
          <details className="text-xs">
            <summary className="cursor-default text-soft">{words.body}</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
            <pre tabIndex={0} className="m-0 max-h-64 overflow-auto rounded-md bg-sunken p-2 font-mono text-2xs">
              {body}
            </pre>
          </details>
        )}
        <p className="m-0 text-xs text-soft">{undo === null ? (undoneBy ?? words.noUndo) : words.undo(undo)}</p>
      </li>
    ))}
  </ol>
)
