// Footfall below /footfall of a Next.js application. It is started with the first request and not when the
// module is loaded, because `next build` loads it too.
import { createFootfall, type Footfall } from "@footfall/server"

let starting: Promise<Footfall> | undefined

const handle = async (request: Request): Promise<Response> => {
  starting ??= createFootfall({ basePath: "/footfall" })
  return (await starting).fetch(request)
}

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
