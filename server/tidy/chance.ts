import { lineOf, type Node, nodesIn } from './tree'

// H5: no test may assert after random runs that one of them reached something. Most seeds do, and once in a thousand CI
// runs one does not. Required cases are given as examples, or counted on a sample with a fixed seed.

const SAMPLE = new Set(['sample'])
const PROPERTIES = new Set(['property', 'asyncProperty'])
const RUNS = new Set(['assert', 'check', 'sample', 'statistics'])
const FIXED = new Set(['seed', 'examples'])
const RAISES = new Set(['push', 'add', 'set', 'unshift'])

/** The lines of a block that expect random runs to have reached something. */
export function expectedOfChance(block: Node): readonly number[] {
  if (!callsIn(block, RUNS).some((call) => !isFixed(call))) return []
  const statements: readonly Node[] = block.body
  const own = new Set(statements.flatMap(declaredIn))
  const reached = new Set<string>()
  return statements.flatMap((statement) => {
    const sampled = callsIn(statement, SAMPLE).some((call) => !isFixed(call))
    const drawn = sampled || callsIn(statement, PROPERTIES).length > 0
    for (const name of drawn ? changedIn(statement) : []) if (own.has(name)) reached.add(name)
    if (sampled || mentions(statement, reached)) for (const name of declaredIn(statement)) reached.add(name)
    return drawn || !mentions(statement, reached) ? [] : expectationsIn(statement)
  })
}

const methodOf = ({ callee }: Node): string | undefined => callee?.property?.name

function callsIn(node: Node, methods: ReadonlySet<string>): readonly Node[] {
  return nodesIn(node).filter(
    (each) => each.type === 'CallExpression' && each.callee.object?.name === 'fc' && methods.has(methodOf(each) ?? ''),
  )
}

const isFixed = (call: Node): boolean =>
  call.arguments.some((argument: Node) => argument.properties?.some((each: Node) => FIXED.has(each.key?.name)))

/** The variables that a statement assigns, increments or adds to. */
function changedIn(statement: Node): readonly string[] {
  return nodesIn(statement).flatMap((node) => {
    if (node.type === 'AssignmentExpression') return rootOf(node.left)
    if (node.type === 'UpdateExpression') return rootOf(node.argument)
    const raises = node.type === 'CallExpression' && RAISES.has(methodOf(node) ?? '')
    return raises ? rootOf(node.callee.object) : []
  })
}

const rootOf = (node: Node): readonly string[] => (node.object ? rootOf(node.object) : node.name ? [node.name] : [])

const declaredIn = (statement: Node): readonly string[] =>
  statement.type === 'VariableDeclaration' ? statement.declarations.flatMap((each: Node) => each.id.name ?? []) : []

const mentions = (statement: Node, names: ReadonlySet<string>): boolean =>
  nodesIn(statement).some((node) => node.type === 'Identifier' && names.has(node.name))

/** Expectations that need something to be reached: not upper bounds or absences, which hold for every run. */
function expectationsIn(statement: Node): readonly number[] {
  return nodesIn(statement).flatMap((node) => {
    const matcher = node.type === 'CallExpression' ? (methodOf(node) ?? '') : ''
    if (!/^to[A-Z]/.test(matcher) || /^toBeLess/.test(matcher)) return []
    const negated = node.callee.object.property?.name === 'not'
    const absent = !/^toBeGreater/.test(matcher) && node.arguments.some(isNothing)
    return negated || absent ? [] : [lineOf(node)]
  })
}

const isNothing = (node: Node): boolean =>
  node.elements?.length === 0 || node.properties?.length === 0 || node.value === 0 || node.value === false
