'use client'
import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  /** What is shown instead of what could not be drawn. */
  readonly instead: (error: Error, again: () => void) => ReactNode
  readonly children: ReactNode
}

/** Keeps a failure to draw inside the part that failed: what stands around it goes on. */
export class Boundary extends Component<BoundaryProps, { readonly error: Error | null }> {
  override state = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === null ? this.props.children : this.props.instead(error, () => this.setState({ error: null }))
  }
}
