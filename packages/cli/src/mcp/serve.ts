// Serves an agent over standard input and output with the official MCP SDK. The tools send their requests to the
// profile's server with the profile's credentials.

import { once } from "node:events"
import {
  type AgentTool,
  agentResources,
  agentTools,
  type ApiAnswer,
  type ApiRequest,
  instructions,
  disabledMessage,
  type ToolResult,
} from "@footfall/agent-tools"
import { ApiError, ConnectionError, type Footfall, TimeoutError } from "@footfall/sdk"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js"
import type { CliError } from "../errors/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { version } from "../version.ts"

/** Returns when the agent closes the input. */
export const serveAgent = async (
  { stdin, stdout }: Terminal,
  client: Footfall,
  allowsWrites: boolean,
): Promise<void> => {
  const tools = new Map(agentTools(allowsWrites).map((tool) => [tool.name, tool]))
  const resources = new Map(agentResources.map((resource) => [resource.uri, resource]))
  const server = new Server(
    { name: "footfall", version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructions(allowsWrites) },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(shown),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.get(params.name)
    if (tool === undefined) {
      const text = disabledMessage(params.name) ?? `Tool '${params.name}' not found`
      throw new McpError(ErrorCode.InvalidParams, text)
    }
    return { ...(await called(tool, params.arguments ?? {}, client, signal)) }
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: agentResources.map(({ text: _, ...resource }) => resource),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const resource = resources.get(uri)
    if (resource === undefined) {
      throw new McpError(ErrorCode.InvalidParams, `Resource '${uri}' not found`)
    }
    const { mimeType, text } = resource
    return { contents: [{ uri, mimeType, text }] }
  })
  const ended = once(stdin, "end")
  await server.connect(new StdioServerTransport(stdin, stdout))
  await ended
  await server.close()
}

/**
 * Tells the agent why there are no tools, in response to its first message, because most clients do
 * not show standard error.
 */
export const refuseAgent = async (
  { stdin, stdout }: Terminal,
  { message, nextStep }: CliError,
): Promise<void> => {
  const server = new Server({ name: "footfall", version }, { capabilities: {} })
  const answered = new Promise<void>((resolve) => {
    server.setRequestHandler(InitializeRequestSchema, () => {
      // Lets the response be written before the program ends.
      setImmediate(resolve)
      throw new McpError(ErrorCode.InvalidRequest, [message, nextStep].filter(Boolean).join(" "))
    })
  })
  const ended = once(stdin, "end")
  await server.connect(new StdioServerTransport(stdin, stdout))
  await Promise.race([answered, ended])
}

const shown = (tool: AgentTool) => {
  const { description, inputSchema, isOpenWorld, isWrite, name, outputSchema, title } = tool
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as { readonly type: "object" },
    outputSchema: outputSchema as { readonly type: "object" },
    annotations: {
      title,
      readOnlyHint: !isWrite,
      destructiveHint: false,
      idempotentHint: !isWrite,
      openWorldHint: isOpenWorld,
    },
  }
}

const called = async (
  tool: AgentTool,
  given: Readonly<Record<string, unknown>>,
  client: Footfall,
  signal: AbortSignal,
): Promise<ToolResult> => {
  const run = tool.run(given)
  try {
    let step = run.next()
    while (!step.done) step = run.next(await answerOf(client, step.value, signal))
    return step.value
  } catch (error) {
    if (!(error instanceof ConnectionError || error instanceof TimeoutError)) throw error
    const text = `Can't reach ${client.baseUrl}. Is the server running?`
    return { isError: true, content: [{ type: "text", text }] }
  }
}

const answerOf = async (
  client: Footfall,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<ApiAnswer> => {
  try {
    return { status: 200, body: await client.request(request, { signal }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, details, message, status } = error
    return { status, body: { error: { code, message, details } } }
  }
}
