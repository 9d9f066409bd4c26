// The official client of the Model Context Protocol, connected to a server. It checks every result against the output
// schema of its tool, so each successful call has a valid result.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { TestServer } from "../support/server.ts"

export interface Agent {
  readonly client: Client
  /** The names of its tools. */
  readonly tools: () => Promise<ReadonlyArray<string>>
  readonly call: (name: string, given?: Readonly<Record<string, unknown>>) => Promise<Called>
  readonly close: () => Promise<void>
}

export interface Called {
  readonly isError: boolean
  /** All its texts. */
  readonly text: string
  readonly structured: {
    readonly notice?: string
    readonly data: unknown
    readonly meta?: Readonly<Record<string, unknown>>
    readonly next?: string
  }
}

export const connectOver = async (transport: Transport): Promise<Agent> => {
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(transport)
  // Gives the client the output schemas.
  await client.listTools()
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}) => {
      const { content, isError, structuredContent } = await client.callTool({
        name,
        arguments: given,
      })
      const texts = content as ReadonlyArray<{ readonly text: string }>
      return {
        isError: isError === true,
        text: texts.map(({ text }) => text).join("\n"),
        structured: structuredContent as Called["structured"],
      }
    },
    close: () => client.close(),
  }
}

export const connect = (
  { url }: Pick<TestServer, "url">,
  headers: Readonly<Record<string, string>>,
): Promise<Agent> => {
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
  })
  return connectOver(transport as unknown as Transport) // its sessionId may be undefined
}
