// `footfall api`: sends any request with the profile's credentials. They are sent to that server
// only: a URL of another server is rejected, and a redirect is not followed.

import type { RawRequest } from "@footfall/sdk"
import { type Command, Option } from "commander"
import { define } from "../command/define.ts"
import { clientOf, waitHooks } from "../connection/connect.ts"
import { loadSettings } from "../connection/settings.ts"
import { type ApiOptions, field, header, httpMethod } from "./given.ts"

export const apiCommand = define<ApiOptions, [method: RawRequest["method"], path: string]>("api", {
  takes: (command) =>
    addRequestOptions(
      command
        .description(
          "Send any request to the server with the profile's API key or sign-in, and print the response.\n" +
            "A --field value is sent as JSON if it is valid JSON, and as text otherwise. Fields become the\n" +
            "query of a GET or DELETE, and the body of any other request.",
        )
        .argument("<method>", "GET, POST, PUT, PATCH or DELETE", httpMethod)
        .argument("<path>", "path on the server, for example /v1/data/account"),
    ),
  examples: [
    "footfall api GET /v1/data/account",
    "footfall api GET /v1/data --field timeframe=30d --paginate --output ndjson",
    "footfall api POST /v1/data/pixels --field domain=example.com --field name='Main site'",
    "footfall api PATCH /v1/organizations/<id> --data @changes.json --signed-in",
    "jq .rule rule.json | footfall api POST /v1/data/segments --data -",
  ],
  run: async ({ command, options, terminal }, method, path) => {
    const loaded = await loadSettings(terminal, command)
    const { readRequest } = await import("./request.ts")
    const request = await readRequest(terminal, options, {
      method,
      path,
      baseUrl: loaded.settings.baseUrl,
    })
    const client = await clientOf(
      loaded,
      options.signedIn ? "accessToken" : "optional",
      waitHooks(terminal),
    )
    const { sendRequest } = await import("./send.ts")
    await sendRequest(terminal, client, request, options)
  },
})

const addRequestOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--data <json>",
        "request body: JSON, `@file`, or `-` for standard input",
      ).conflicts("field"),
    )
    .addOption(new Option("--field <name=value>", "a field; can be repeated").argParser(field))
    .addOption(
      new Option("--header <name: value>", "a header to add; can be repeated").argParser(header),
    )
    .option("--paginate", "fetch every page of a list, and print the rows as one array")
    .option("--signed-in", "use your sign-in, even if there is an API key")
