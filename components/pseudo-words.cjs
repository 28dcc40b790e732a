// A loader for `BERTH_LOCALE=pseudo`: makes every text of a words.ts 40 % longer during the build, as a translation
// would be. Leaves everything else unchanged: shapes, tones, keys, and values that code compares with.
const { parse } = require('@babel/parser')

const LONGER = 0.4
/** Properties whose value is a name in the code. */
const NAMES = new Set(['shape', 'tone'])
/** The only texts in a list; everything else in it is a name in the code. */
const LIST_TEXTS = new Set(['head', 'short', 'hint'])

/** @param {string} source a module of words. @returns {string} the same module with longer texts. */
function lengthen(source, file = '') {
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] })
  /** @type {{ at: number, pad: string }[]} */
  const pads = []
  if (/\/lists\//.test(file)) visitList(program, pads)
  else visit(program, pads)
  pads.sort((a, b) => b.at - a.at)
  return pads.reduce((text, { at, pad }) => text.slice(0, at) + pad + text.slice(at), source)
}

const padFor = (length) => (length < 2 ? '' : '~'.repeat(Math.ceil(length * LONGER)))

function visit(node, pads) {
  if (!node || typeof node.type !== 'string') return
  if (node.type.startsWith('TS') && !node.expression) return
  switch (node.type) {
    case 'ImportDeclaration':
    case 'BinaryExpression':
      return
    case 'SwitchCase':
      for (const each of node.consequent) visit(each, pads)
      return
    case 'CallExpression':
      // The callee of a join is the list; its argument is only the separator.
      return visit(node.callee, pads)
    case 'MemberExpression':
      return visit(node.object, pads)
    case 'ObjectProperty':
      return NAMES.has(node.key.name) ? undefined : visit(node.value, pads)
    case 'StringLiteral':
      return void pads.push({ at: node.end - 1, pad: padFor(node.value.length) })
    case 'TemplateLiteral': {
      const length = node.quasis.reduce((sum, quasi) => sum + quasi.value.raw.length, 0)
      return void pads.push({ at: node.end - 1, pad: padFor(length) })
    }
    default:
      for (const value of Object.values(node)) {
        for (const each of Array.isArray(value) ? value : [value]) visit(each, pads)
      }
  }
}

function visitList(node, pads) {
  if (!node || typeof node.type !== 'string') return
  if (node.type === 'ObjectProperty' && LIST_TEXTS.has(node.key.name)) return visit(node.value, pads)
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) visitList(each, pads)
  }
}

module.exports = function load(source) {
  return lengthen(source, this.resourcePath)
}
module.exports.lengthen = lengthen
