// Goes on in another organization of the user.
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { pixelsQuery } from "../frame/scope.ts"
import { useWrite } from "../ui/use-write.ts"
import { session } from "./session.ts"

export const useSwitchOrganization = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useWrite({
    write: (organizationId: string) => session.switchTo(organizationId),
    // Nothing of the organization before is shown for a moment.
    onDone: async () => {
      // The first screen depends on whether the new organization has data.
      client.removeQueries({ queryKey: pixelsQuery.queryKey })
      await navigate({ to: "/", search: { site: undefined } })
      await client.resetQueries()
    },
  })
}
