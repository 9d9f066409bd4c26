// The user's organizations, each with a button to switch to it.
import { useNavigate } from "@tanstack/react-router"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Problem } from "../ui/problem.tsx"
import { useMe } from "./use-session.ts"
import { useWrite } from "../ui/use-write.ts"
import { session } from "./session.ts"
import { isolated } from "../ui/isolated.ts"

export const Organizations = () => {
  const { organization, organizations } = useMe()
  const change = useSwitchOrganization()
  return (
    <>
      <ul className="stack">
        {organizations.map(({ id, name, role }) => (
          <li key={id} className="spread">
            <span className="break">
              {name} <span className="soft">{role}</span>
            </span>
            {id === organization.id ? (
              <Badge tone="good">open</Badge>
            ) : (
              <Button
                isBusy={change.isPending && change.variables === id}
                onClick={() => change.mutate(id)}
                aria-label={`Open ${name}`}
              >
                Open
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Problem error={change.error} title={isolated`You are still in ${organization.name}`} />
    </>
  )
}

// Switches to another organization of the user and opens the first screen, because an open record belongs to the
// previous organization.
const useSwitchOrganization = () => {
  const navigate = useNavigate()
  return useWrite({
    write: (organizationId: string) => session.switchTo(organizationId),
    onDone: () => navigate({ to: "/", search: { site: undefined } }),
  })
}
