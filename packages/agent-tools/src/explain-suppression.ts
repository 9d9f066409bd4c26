// `explain_suppression`, which also accepts a visitor's email address: agents know people by their
// address.
import { type AgentTool, refused } from "./tool.ts"

/** Each of the two tools calls one operation. */
export const explainSuppression = (explain: AgentTool, getVisitor: AgentTool): AgentTool => {
  const properties = {
    email: { type: "string", description: "An email address of the visitor." },
    visitorId: explain.inputSchema.properties!["visitorId"]!,
  }
  return {
    ...explain,
    inputSchema: { type: "object", properties, required: [], additionalProperties: false },
    *run(given) {
      const names = Object.entries(given).flatMap(([name, value]) =>
        value === undefined ? [] : name,
      )
      const [name = ""] = names
      if (names.length !== 1 || !Object.hasOwn(properties, name)) {
        return refused(`${explain.name} accepts either email or visitorId.`)
      }
      if (name === "visitorId") return yield* explain.run(given)
      const visitor = yield* getVisitor.run({ email: given["email"] })
      if (visitor.isError) return visitor
      const { emailHash } = visitor.structuredContent!["data"] as { readonly emailHash: string }
      return yield* explain.run({ visitorId: emailHash })
    },
  }
}
