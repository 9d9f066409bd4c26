// Files that programs look for at fixed paths: whom to tell about a vulnerability (RFC 9116), and that search engines
// should index nothing. spec 5.15.7
import { Clock, DateTime, Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { notFound } from "./answer.ts"

export const wellKnownRoutes = [
  { method: "GET", path: "/.well-known/security.txt" },
  { method: "GET", path: "/robots.txt" },
] as const

/** RFC 9116, 2.5.5, recommends less than a year. Midnight, so that the file changes once a day. */
const validDays = 180

const dayMs = 86_400_000

/** `contact`: a URI, or undefined for no file. */
export const WellKnownRoutes = (contact: string | undefined, baseUrl: string) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      yield* router.add(
        "GET",
        "/.well-known/security.txt",
        contact === undefined
          ? notFound
          : Effect.map(Clock.currentTimeMillis, (now) =>
              plain(
                [
                  `Contact: ${contact}`,
                  `Expires: ${expiryOf(now)}`,
                  `Canonical: ${baseUrl}/.well-known/security.txt`,
                ],
                "public, max-age=3600",
              ),
            ),
      )
      yield* router.add(
        "GET",
        "/robots.txt",
        Effect.succeed(plain(["User-agent: *", "Disallow: /"], "public, max-age=86400")),
      )
    }),
  )

const plain = (lines: ReadonlyArray<string>, cacheControl: string) =>
  HttpServerResponse.text(lines.map((line) => `${line}\n`).join(""), {
    contentType: "text/plain; charset=utf-8",
    headers: { "cache-control": cacheControl },
  })

const expiryOf = (nowMs: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe((Math.floor(nowMs / dayMs) + validDays) * dayMs))
