import { parse } from '@babel/parser'

// The syntax tree of a source file, for rules that read code. The parser is Babel's because TypeScript 7 has no
// JavaScript interface.

export interface Node {
  readonly type: string
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
  // biome-ignore lint/suspicious/noExplicitAny: a syntax tree has a hundred shapes; only the ones that a law names are read
  readonly [key: string]: any
}

export interface Comment {
  readonly value: string
  readonly loc?: Node['loc']
}

/** `path` says whether the file may hold JSX. */
export function treeOf(path: string, text: string): { readonly program: Node; readonly comments: readonly Comment[] } {
  const plugins = /\.ts$/.test(path) ? (['typescript'] as const) : (['typescript', 'jsx'] as const)
  const { program, comments } = parse(text, { sourceType: 'module', plugins: [...plugins] })
  return { program: program as unknown as Node, comments: comments ?? [] }
}

/** The nodes directly under `node`. */
export function childrenOf(node: Node): readonly Node[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'loc' || key.endsWith('Comments')) return []
    return (Array.isArray(value) ? value : [value]).filter((child) => typeof child?.type === 'string' && child.loc)
  })
}

/** Visits `node` and every node under it, each with its parent. */
export function walk(node: Node, visit: (node: Node, parent: Node | null) => void, parent: Node | null = null): void {
  visit(node, parent)
  for (const child of childrenOf(node)) walk(child, visit, node)
}

/** `node` and every node under it. */
export function nodesIn(node: Node): readonly Node[] {
  const all: Node[] = []
  walk(node, (each) => void all.push(each))
  return all
}

export const lineOf = (node: Node): number => node.loc.start.line
