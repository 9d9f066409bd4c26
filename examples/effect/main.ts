// Footfall as part of an Effect program. Emails go to the log instead of a mail server, and the
// program calls its own server with the contract's typed client. PORT sets the port. Ctrl-C drains
// and stops.
import { NodeRuntime } from "@effect/platform-node"
import { Api, clientCredentials, FootfallServer, listen, Mail } from "@footfall/server/effect"
import { Config, Console, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { HttpApiClient } from "effect/http-api"

const say = ({ subject, to }: { readonly subject: string; readonly to: string }) =>
  Effect.logInfo(`mail to ${to}: ${subject}`)
const LoggedMail = Layer.succeed(Mail, { isConfigured: true, send: say, post: say })

const program = Effect.gen(function* () {
  const { listener } = yield* FootfallServer
  const port = yield* Config.withDefault(Config.Int("PORT"), 8080)
  yield* listen({ host: "127.0.0.1", port, listener })
  const baseUrl = `http://127.0.0.1:${port}`

  const { topics } = yield* HttpApiClient.make(Api, { baseUrl })
  const { meta } = yield* topics.list({ query: {} })
  yield* Console.log(`${baseUrl}/docs, ${meta.total} topics`)
  return yield* Effect.never
})

program.pipe(
  Effect.scoped,
  Effect.provide([
    FootfallServer.layer({ replacements: LoggedMail }),
    FetchHttpClient.layer,
    clientCredentials({}),
  ]),
  NodeRuntime.runMain,
)
