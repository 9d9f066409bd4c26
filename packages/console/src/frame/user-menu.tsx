// The user: which organization, the theme, and the way out.
import { useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { session } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { useSwitchOrganization } from "../session/use-switch.ts"
import { Button } from "../ui/button.tsx"
import { ChoiceField } from "../ui/field.tsx"
import { useWrite } from "../ui/use-write.ts"
import { readTheme, setTheme, themeAfter } from "./theme.ts"

export const UserMenu = () => {
  const { organization, organizations, user } = useMe()
  const client = useQueryClient()
  const [theme, setShownTheme] = useState(readTheme)
  const change = useSwitchOrganization()
  const signOut = useWrite({
    write: () => session.signOut(),
    onDone: () => client.clear(),
  })
  return (
    <div className="user">
      {organizations.length > 1 ? (
        <ChoiceField
          label="Organization"
          isCompact
          choices={organizations.map(({ id, name }) => ({ value: id, text: name }))}
          value={organization.id}
          onValue={(id) => change.mutate(id)}
        />
      ) : (
        <span className="cut user-text" title={organization.name}>
          {organization.name}
        </span>
      )}
      <Link to="/settings/account" className="cut soft small user-text" title={user.email}>
        {user.email}
      </Link>
      <div className="row">
        <Button
          kind="plain"
          className="small"
          onClick={() => {
            const next = themeAfter(theme)
            setTheme(next)
            setShownTheme(next)
          }}
          aria-label={`Theme: ${theme}`}
          title={`Theme: ${theme}`}
        >
          {{ system: "◐", light: "☀", dark: "☾" }[theme]}
        </Button>
        <Button
          kind="plain"
          className="small"
          isBusy={signOut.isPending}
          onClick={() => signOut.mutate()}
          aria-label="Sign out"
          title="Sign out"
        >
          <span aria-hidden="true">⇥</span> <span className="user-text">Sign out</span>
        </Button>
      </div>
    </div>
  )
}
