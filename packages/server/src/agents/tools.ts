// The agent tools and resources, registered with Effect's MCP server. A tool calls this server's own API with the
// credentials of the request that called it, so rights, limits, audit and masking are the caller's.
import {
  agentResources,
  agentTools,
  type ApiAnswer,
  type ApiRequest,
  type ToolRun,
} from "@footfall/agent-tools"
import { Context, Effect, Layer } from "effect"
import { McpSchema, McpServer } from "effect/ai"

/** Calls the API as the sender of the current message. Set for every message. */
export class AskApi extends Context.Reference<(request: ApiRequest) => Effect.Effect<ApiAnswer>>(
  "@footfall/server/agents/AskApi",
  { defaultValue: () => () => Effect.die("No message is being answered.") },
) {}

export const Tools = (allowsWrites: boolean) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* McpServer.McpServer
      for (const tool of agentTools(allowsWrites)) {
        const { description, inputSchema, isOpenWorld, isWrite, name, outputSchema, title } = tool
        yield* server.addTool({
          tool: new McpSchema.Tool({
            name,
            title,
            description,
            inputSchema,
            outputSchema: { ...outputSchema },
            annotations: {
              title,
              readOnlyHint: !isWrite,
              destructiveHint: false,
              idempotentHint: !isWrite,
              openWorldHint: isOpenWorld,
            },
          }),
          annotations: Context.empty(),
          handle: (given) => answered(tool.run(given ?? {})),
        })
      }
      yield* Effect.forEach(
        agentResources,
        ({ description, mimeType, name, text, uri }) =>
          McpServer.registerResource({
            uri,
            name,
            description,
            mimeType,
            content: Effect.succeed(text),
          }),
        { discard: true },
      )
    }),
  )

/** Feeds the run the responses it requests, until it has a result. */
const answered = Effect.fnUntraced(function* (run: ToolRun) {
  const ask = yield* AskApi
  let step = run.next()
  while (!step.done) step = run.next(yield* ask(step.value))
  return new McpSchema.CallToolResult(step.value)
})
