// Switches to another organization of the user and opens the first screen, because an open record belongs to the
// previous organization.
import { useNavigate } from "@tanstack/react-router"
import { useWrite } from "../ui/use-write.ts"
import { session } from "./session.ts"

export const useSwitchOrganization = () => {
  const navigate = useNavigate()
  return useWrite({
    write: (organizationId: string) => session.switchTo(organizationId),
    onDone: () => navigate({ to: "/", search: { site: undefined } }),
  })
}
