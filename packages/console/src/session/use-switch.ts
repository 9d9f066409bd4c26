// Goes on in another organization of the user, at the first screen, because a record that is open is of the one before.
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
