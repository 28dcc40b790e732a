'use client'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { cx } from './cx'
import { PressButton } from './PressButton'
import { uiWords } from './words'

interface CopyableProps {
  readonly text: string
  readonly short?: string
  readonly label?: string
  /** Wraps if there is no space, for text that may be read out. */
  readonly whole?: boolean
}

/** An id to read and to copy: short on screen, whole in the clipboard. */
export function Copyable({ text, short, label, whole }: CopyableProps) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  const Icon = copied ? Check : Copy
  return (
    <PressButton
      onPress={copy}
      aria-label={uiWords.named(copied ? uiWords.copied : uiWords.copy, label ?? text)}
      className="group inline-flex max-w-full cursor-default items-center gap-1.5 rounded-sm font-mono text-xs text-soft hover:text-ink"
    >
      <span className={whole ? 'text-left wrap-anywhere' : 'truncate'}>{short ?? text}</span>
      <Icon size={11} aria-hidden="true" className={cx('shrink-0', copied ? 'text-ok' : 'text-faint')} />
    </PressButton>
  )
}
