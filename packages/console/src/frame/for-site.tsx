// Renders content for the chosen site. While the site loads, or if it has no pixel, nothing below makes a request:
// without a pixel id the answer would cover all sites.
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Empty } from "../ui/empty.tsx"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { useSite } from "./scope.ts"

export const ForSite = ({ children }: { readonly children: ReactNode }) => {
  const { error, isGone, isReady, retry, site } = useSite()
  if (isReady) return <>{children}</>
  if (isGone) {
    return (
      <Empty
        title="This site has no pixel any more"
        action={
          <Link to="." search={(old) => ({ ...old, site: undefined })} className="button">
            Show all sites
          </Link>
        }
      >
        The pixel of {site} was deleted. Its past visits are still part of all sites.
      </Empty>
    )
  }
  if (error !== null) return <Problem error={error} onRetry={retry} />
  return <Waiting />
}
