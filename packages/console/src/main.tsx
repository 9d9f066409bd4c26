// Starts the console: the theme, the session in the cookie, the routes.
import "./ui/fonts.css"
import "./ui/tokens.css"
import "./ui/base.css"
import "./ui/ui.css"
import { ApiError } from "@footfall/sdk"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { applyTheme, readTheme } from "./frame/theme.ts"
import { makeRouter } from "./router.tsx"
import { keepApart } from "./session/keep-apart.ts"

applyTheme(readTheme())

/** How long query results count as fresh. In milliseconds. */
const freshMs = 15_000

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      // The SDK already retries what is worth retrying. After a 401 the session renews its token before the second try.
      retry: (failures, error) => failures < 1 && error instanceof ApiError && error.status === 401,
      retryDelay: 0,
    },
    mutations: {
      retry: (failures, error) => failures < 1 && error instanceof ApiError && error.status === 401,
      retryDelay: 0,
    },
  },
})

keepApart(client)

const router = makeRouter(client)

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}

const place = document.querySelector("#console")
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
