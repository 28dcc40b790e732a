'use client'
import { useState } from 'react'
import { type AskedAhead, keepAhead } from './ahead'

/** Hands what the server asked ahead to whoever asks it first: it stands before what asks. */
export function Ahead(asked: AskedAhead) {
  // Once, and before anything beside it has asked: questions are asked in effects.
  useState(() => typeof window !== 'undefined' && keepAhead(asked))
  return null
}
