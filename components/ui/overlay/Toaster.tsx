'use client'
import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import { Glyph, type Shape } from '../Glyph'
import { TextLink } from '../Link'
import { type Tone, toneText } from '../tone'
import { uiWords } from '../words'
import type { Toast } from './Toasts'

/** Shows each toast once. */
export function Toaster({ toasts, onShown }: { toasts: readonly Toast[]; onShown: (shown: readonly Toast[]) => void }) {
  useEffect(() => {
    if (toasts.length === 0) return
    for (const each of toasts) show(each)
    onShown(toasts)
  }, [toasts, onShown])
  return (
    <Sonner
      position="bottom-right"
      offset={{ bottom: 44, right: 16 }}
      gap={8}
      visibleToasts={4}
      style={{ fontFamily: 'inherit' }}
      containerAriaLabel={uiWords.messages}
    />
  )
}

const shapes: Readonly<Record<Tone, Shape>> = {
  idle: 'ring',
  ok: 'tick',
  flow: 'half',
  warn: 'triangle',
  bad: 'cross',
  twice: 'diamond',
}

function show({ tone, title, more }: Toast): void {
  toast.custom(
    () => (
      <div className="w-[356px] rounded-md border border-line bg-raised px-3 py-2 text-sm text-ink shadow-pop">
        <p className="m-0 flex items-center gap-2 font-medium">
          <Glyph shape={shapes[tone]} className={toneText[tone]} />
          {title}
        </p>
        {more?.detail ? <div className="pl-[18px] text-soft">{more.detail}</div> : null}
        {more?.link ? (
          <div className="pl-[18px]">
            <TextLink href={more.link.href}>{more.link.label}</TextLink>
          </div>
        ) : null}
      </div>
    ),
    { duration: tone === 'bad' ? 12_000 : 6_000 },
  )
}
