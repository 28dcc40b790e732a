'use client'
import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  /** Shown instead of children that failed to render. */
  readonly fallback: (error: Error, again: () => void) => ReactNode
  readonly children: ReactNode
}

/** Confines a render failure to the part that failed. */
export class Boundary extends Component<BoundaryProps, { readonly error: Error | null }> {
  override state = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === null ? this.props.children : this.props.fallback(error, () => this.setState({ error: null }))
  }
}
