// Checks one rule in all source code: a lookup by an arbitrary string key must only find an object's own properties.
// `record[key]` also finds `constructor`, `toString` and everything else that objects inherit, so a stranger who
// chooses the key can reach them. A write to `__proto__` changes the object's prototype. Use a Map, or `ownValue` and
// `hasOwn` of @footfall/normal-form. It uses types to decide what to report: keys that are one of a few known words, a
// number or a symbol are fine. If a reported line is correct anyway, explain why in a comment `own keys: …` on it or on
// the line before.
import { API, type Checker, type Type, TypeFlags } from "typescript/unstable/sync"
import {
  type ElementAccessExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast"
import {
  isAsExpression,
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isComputedPropertyName,
  isConditionalExpression,
  isElementAccessExpression,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPrivateIdentifier,
} from "typescript/unstable/ast/is"
import { existsSync, readdirSync } from "node:fs"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")

interface Finding {
  readonly place: string
  readonly message: string
}

/** The problem with the node, if any. */
const faultOf = (node: Node, checker: Checker): string | undefined => {
  if (isElementAccessExpression(node)) {
    const key = node.argumentExpression
    if (isAsExpression(key))
      return "A cast does not make the key known; use a Map or check Object.hasOwn first."
    return isAnyText(key, checker) && isKeyedByText(node.expression, checker) && !isChecked(node)
      ? "The key may be any text; use a Map or check Object.hasOwn first."
      : undefined
  }
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
    return !isPrivateIdentifier(node.left) && isAnyText(node.left, checker)
      ? "`in` also finds inherited members; use a Map or Object.hasOwn."
      : undefined
  }
  if (isBindingElement(node) && node.propertyName !== undefined) {
    return isComputedPropertyName(node.propertyName) &&
      isAnyText(node.propertyName.expression, checker)
      ? "The key may be any text; use a Map or check Object.hasOwn first."
      : undefined
  }
  if (!isCallExpression(node) || node.expression.getText() !== "Object.assign") return undefined
  return node.arguments.slice(1).every(isObjectLiteralExpression)
    ? undefined
    : "Object.assign of a `__proto__` changes the prototype; spread the object instead."
}

/**
 * Whether the node is, or starts, the true branch of a conditional that checks the same lookup with `Object.hasOwn`.
 */
const isChecked = (node: ElementAccessExpression): boolean => {
  let inner: Node = node
  while (
    isParenthesizedExpression(inner.parent) ||
    (isBinaryExpression(inner.parent) && inner.parent.left === inner)
  ) {
    inner = inner.parent
  }
  const { parent } = inner
  return (
    isConditionalExpression(parent) &&
    parent.whenTrue === inner &&
    parent.condition.getText() ===
      `Object.hasOwn(${node.expression.getText()}, ${node.argumentExpression.getText()})`
  )
}

/** The type allows more than a few known words. */
const isAnyText = (key: Node, checker: Checker): boolean => {
  const type = checker.getTypeAtLocation(key)
  if (type === undefined) return true
  const constraint = checker.getBaseConstraintOfType(type) ?? type
  return partsOf(constraint).some(
    ({ flags }) => (flags & (TypeFlags.String | TypeFlags.Any | TypeFlags.TemplateLiteral)) !== 0,
  )
}

/** Whether the object's type allows arbitrary string keys. */
const isKeyedByText = (object: Node, checker: Checker): boolean => {
  const type = checker.getTypeAtLocation(object)
  if (type === undefined) return true
  return partsOf(type).some(
    (part) =>
      (part.flags & TypeFlags.Any) !== 0 ||
      checker
        .getIndexInfosOfType(part)
        .some(({ keyType }) => (keyType.flags & TypeFlags.String) !== 0),
  )
}

const partsOf = (type: Type): ReadonlyArray<Type> => (type.isUnionType() ? type.getTypes() : [type])

const isExcused = (node: Node, file: SourceFile): boolean => {
  const before = file.text.slice(0, node.getStart(file))
  const lineStart = before.lastIndexOf("\n") + 1
  const from = before.lastIndexOf("\n", lineStart - 2) + 1
  const end = file.text.indexOf("\n", node.getStart(file))
  return /\/\/.*own keys: \S+/.test(file.text.slice(from, end === -1 ? undefined : end))
}

const findingsOf = (file: SourceFile, checker: Checker): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const visit = (node: Node): void => {
    const message = faultOf(node, checker)
    if (message !== undefined && !isExcused(node, file)) {
      const line = file.text.slice(0, node.getStart(file)).split("\n").length
      findings.push({ place: `${path.relative(root, file.fileName)}:${line}`, message })
    }
    node.forEachChild(visit)
  }
  file.forEachChild(visit)
  return findings
}

const isSource = (name: string, folder: string): boolean =>
  name.startsWith(`${folder}/src/`) && !/\.test\.tsx?$|\.d\.ts$/.test(name)

const api = new API({ cwd: root })
const findings = readdirSync(path.join(root, "packages")).flatMap((name) => {
  // Its official types are not in the lock file (CONTRIBUTING.md).
  if (name === "n8n") return []
  const folder = path.join(root, "packages", name)
  const config = ["tsconfig.source.json", "tsconfig.check.json"]
    .map((each) => path.join(folder, each))
    .find(existsSync)
  if (config === undefined) throw new Error(`No compiler configuration: ${folder}`)
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
  if (project === undefined) throw new Error(`No project: ${config}`)
  const sources = project.program.getSourceFileNames().filter((file) => isSource(file, folder))
  if (sources.length === 0) throw new Error(`No sources: ${config}`)
  return sources.flatMap((file) =>
    findingsOf(project.program.getSourceFile(file)!, project.checker),
  )
})
api.close()

for (const { message, place } of findings) console.error(`${place}: ${message}`)
if (findings.length > 0) process.exit(1)
