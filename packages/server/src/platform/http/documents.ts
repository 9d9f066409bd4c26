// Serves the OpenAPI documents, without the envelope (spec 1.3, 5.15): the whole API, and each of its two parts with
// only the schemas it uses. The build generates them from the contract (reference/openapi.ts), because generating them
// took a quarter of the processor time of a start.
import { Effect, FileSystem } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

/** `prefix`: how the described paths begin. `file`: in the folder `docs` of the assets. */
export const documents = [
  { path: "/openapi.json", prefix: "/", file: "openapi.json" },
  { path: "/openapi-data.json", prefix: "/v1/data", file: "openapi-data.json" },
  { path: "/openapi-intent.json", prefix: "/v1/intent", file: "openapi-intent.json" },
] as const

export const documentRoutes = documents.map(({ path }) => ({ method: "GET", path }))

/** `baseUrl`: the server URL in the documents, used by generated clients. */
export const DocumentRoutes = (directory: string, baseUrl: string) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const system = yield* FileSystem.FileSystem
      for (const { file, path } of documents) {
        yield* router.add(
          "GET",
          path,
          system.readFileString(`${directory}/docs/${file}`).pipe(
            Effect.orDie,
            Effect.map((text) =>
              HttpServerResponse.text(withServer(text, baseUrl), {
                contentType: "application/json",
              }),
            ),
          ),
        )
      }
    }),
  )

/** Adds the server URL, which the file does not contain. */
const withServer = (document: string, url: string): string =>
  `${document.slice(0, -1)},"servers":${JSON.stringify([{ url }])}}`
