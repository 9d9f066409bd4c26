// User menu: organization, theme, and sign out.
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { Organizations } from "../session/organizations.tsx"
import { session } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { useWrite } from "../ui/use-write.ts"
import { readTheme, setTheme, themeAfter } from "./theme.ts"

export const UserMenu = () => {
  const { organization, organizations, user } = useMe()
  const [theme, setShownTheme] = useState(readTheme)
  const [isChoosing, setChoosing] = useState(false)
  const signOut = useWrite({ write: () => session.signOut() })
  return (
    <div className="user">
      {organizations.length > 1 ? (
        <Button
          kind="plain"
          className="cut user-text user-organization"
          title={organization.name}
          aria-label={`Organization: ${organization.name}`}
          aria-haspopup="dialog"
          onClick={() => setChoosing(true)}
        >
          {organization.name}
        </Button>
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
      {isChoosing && (
        <Dialog title="Organizations" onClose={() => setChoosing(false)}>
          <Organizations />
        </Dialog>
      )}
      {signOut.isError && (
        <Confirm
          title="You are still signed in"
          verb="Try again"
          isSafe
          isBusy={signOut.isPending}
          error={signOut.error}
          onConfirm={() => signOut.mutate()}
          onClose={() => signOut.reset()}
        >
          <p>
            The server could not sign you out. If this keeps happening on a shared computer, delete
            the cookies of this site.
          </p>
        </Confirm>
      )}
    </div>
  )
}
