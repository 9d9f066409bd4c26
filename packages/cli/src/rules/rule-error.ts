// What the server says about a rule it does not take, with the node it means.

import type { RuleAst } from "@footfall/sdk"

/** Longer nodes are cut; the pointer still says where they are. */
const NODE_LENGTH_MAX = 300

/** Waits for the call. Errors: its own; that of an invalid rule shows the node the server points at. */
export const withNodeShown = async <Result>(
  ruleAst: RuleAst | null,
  call: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await call()
  } catch (error) {
    // Only now, because the commands that ask with a rule are defined whenever any is run.
    const { ApiError, BadRequestError } = await import("@footfall/sdk")
    const invalid = error instanceof BadRequestError ? error.invalidRule : null
    if (ruleAst === null || invalid === null || !(error instanceof ApiError)) throw error
    const { status, code, message, requestId, details, retryAfterSeconds } = error
    throw new ApiError({
      status,
      code,
      message: `${message} ${placeText(ruleAst, invalid.path)}`,
      requestId,
      details,
      retryAfterSeconds,
    })
  }
}

const placeText = (ruleAst: RuleAst, pointer: string): string => {
  const text = JSON.stringify(nodeAt(ruleAst, pointer))
  const node = text.length > NODE_LENGTH_MAX ? `${text.slice(0, NODE_LENGTH_MAX)}…` : text
  return `It is at ${pointer === "" ? "the top" : pointer} of the rule, in: ${node}`
}

/** The innermost object on the way: of a predicate all three parts, not the wrong one alone. */
const nodeAt = (ruleAst: RuleAst, pointer: string): unknown => {
  let node: unknown = ruleAst
  let innermost: unknown = ruleAst
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) break
    node = Reflect.get(node, name)
    if (typeof node === "object" && node !== null && !Array.isArray(node)) innermost = node
  }
  return innermost
}
