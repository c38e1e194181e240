import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** A change of one place in a source. */
export interface Mutant {
  /** Place and change, by which it is known as long as the line stands. */
  id: string
  file: string
  line: number
  from: number
  to: number
  text: string
  /** A change that was chosen by hand, whose place is none of those that are counted. */
  isNamed?: boolean
}

const NEGATED: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.GreaterThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '<=',
  [ts.SyntaxKind.LessThanToken]: '>=',
  [ts.SyntaxKind.LessThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
}

/**
 * All mutants of a source, by operators that were fixed in advance: every number is another (a whole one is one more, a fraction half of it), so is every
 * number that is an option's default; every comparison is its opposite; "and" is "or"; every other condition of a branch is turned round.
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true)
  return placesOf(tree).map(({ node, text }) => {
    const [from, to] = [node.getStart(tree), node.getEnd()]
    const { line, character } = tree.getLineAndCharacterOfPosition(from)
    const was = source.slice(from, to).replace(/\s+/g, ' ').slice(0, 40)
    const id = `${file}:${line + 1}:${character + 1} ${was} → ${text.slice(0, 40)}`
    return { id, file, line: line + 1, from, to, text }
  })
}

/** JavaScript of a source that tells `globalThis.reached` of the place of every mutant that is come to: the file, and where the mutant begins. */
export function countedOf(file: string, source: string): string {
  const counted: ts.TransformerFactory<ts.SourceFile> = (context) => (tree) => {
    const reached = new Map<ts.Node, number[]>()
    for (const { node, within } of placesOf(tree))
      reached.set(within, [...(reached.get(within) ?? []), node.getStart(tree)])
    const { factory } = context
    const visit = (node: ts.Node): ts.Node => {
      const visited = ts.visitEachChild(node, visit, context)
      return (reached.get(node) ?? []).reduce<ts.Node>((inner, place) => {
        const told = factory.createCallChain(
          factory.createPropertyAccessExpression(factory.createIdentifier('globalThis'), 'reached'),
          factory.createToken(ts.SyntaxKind.QuestionDotToken),
          undefined,
          [factory.createStringLiteral(`${file} ${place}`)],
        )
        return factory.createParenthesizedExpression(factory.createComma(told, inner as ts.Expression))
      }, visited)
    }
    return ts.visitEachChild(tree, visit, context)
  }
  return transpiled(source, { before: [counted] })
}

export function transpiled(source: string, transformers?: ts.CustomTransformers): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  return ts.transpileModule(source, { compilerOptions, ...(transformers && { transformers }) }).outputText
}

/** Where a source is changed: what is written anew, and the expression that is worked out when it matters. */
interface Place {
  node: ts.Node
  text: string
  within: ts.Node
}

function placesOf(tree: ts.SourceFile): Place[] {
  const found: Place[] = []
  const add = (node: ts.Node, text: string, within = node) => found.push({ node, text, within })
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return
    if (ts.isNumericLiteral(node)) add(node, changed(node.text))
    if (ts.isStringLiteral(node) && isDefault(node)) add(node, `'${changed(node.text)}'`)
    if (ts.isBinaryExpression(node)) {
      const opposite = NEGATED[node.operatorToken.kind]
      if (opposite) add(node.operatorToken, opposite, node)
    }
    const condition =
      ts.isIfStatement(node) || ts.isWhileStatement(node)
        ? node.expression
        : ts.isConditionalExpression(node)
          ? node.condition
          : null
    if (condition && !(ts.isBinaryExpression(condition) && NEGATED[condition.operatorToken.kind]))
      add(condition, `!(${condition.getText(tree)})`)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** A change that is known by a name, of a text that stands once in its file. */
export function changeOf({ name, file, from, to }: Record<'name' | 'file' | 'from' | 'to', string>): Mutant {
  const source = readFileSync(file, 'utf8')
  const at = source.indexOf(from)
  if (at < 0 || source.indexOf(from, at + 1) >= 0) throw new Error(`${file} does not say once: ${from}`)
  const line = source.slice(0, at).split('\n').length
  return { id: `${name} (${file}:${line})`, file, line, from: at, to: at + from.length, text: to, isNamed: true }
}

/** Whether a text is a number that stands for an option unless told: `countOption('5', …)`. */
function isDefault(node: ts.StringLiteral): boolean {
  const call = node.parent
  if (!/^\d+(?:\.\d+)?$/.test(node.text) || !ts.isCallExpression(call) || call.arguments[0] !== node) return false
  return /Option$/.test(call.expression.getText())
}

function changed(number: string): string {
  const value = Number(number.replaceAll('_', ''))
  return String(Number.isInteger(value) ? value + 1 : value / 2)
}
