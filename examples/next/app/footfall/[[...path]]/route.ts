// Footfall below /footfall of a Next.js application. It is started with the first request and not when the
// module is loaded, because `next build` loads it too.
import { createFootfall, type Footfall } from "@footfall/server"

// One for the process: in development Next.js loads this module again after each change.
const shared = globalThis as typeof globalThis & { footfall?: Promise<Footfall> | undefined }

const start = () =>
  createFootfall({ basePath: "/footfall" }).catch((error: unknown) => {
    shared.footfall = undefined // the next request starts it again
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
