// Footfall at /footfall in a Next.js application. It starts with the first request and not when the
// module loads, because `next build` also loads it.
import { createFootfall, type Footfall } from "@footfall/server"

// One instance per process: in development Next.js reloads this module after each change.
const shared = globalThis as typeof globalThis & { footfall?: Promise<Footfall> | undefined }

const start = () =>
  createFootfall({
    basePath: "/footfall",
    baseUrl: process.env.BASE_URL ?? "http://localhost:3000/footfall",
    // Next.js writes the header if a request has none. Leave this out unless a proxy sets it: clients can send any.
    clientAddress: (request) => request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim(),
  }).catch((error: unknown) => {
    shared.footfall = undefined // The next request starts it again.
    throw error
  })

const handle = async (request: Request): Promise<Response> =>
  (await (shared.footfall ??= start())).fetch(request)

export const dynamic = "force-dynamic"
export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
