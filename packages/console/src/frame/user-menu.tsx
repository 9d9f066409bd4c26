// User menu: organization, theme, and sign out.
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { PersonMark } from "../footprints/mark.tsx"
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
      <PersonMark name={user.email} domain={null} />
      <div className="user-text">
        {organizations.length > 1 ? (
          <button
            type="button"
            className="cut user-organization"
            title={organization.name}
            aria-label={`Organization: ${organization.name}`}
            aria-haspopup="dialog"
            onClick={() => setChoosing(true)}
          >
            {organization.name}
          </button>
        ) : (
          <span className="cut user-organization" title={organization.name}>
            {organization.name}
          </span>
        )}
        <Link to="/settings/account" className="cut soft" title={user.email}>
          {user.email}
        </Link>
      </div>
      <Button
        kind="plain"
        className="small icon"
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
        className="small icon"
        isBusy={signOut.isPending}
        onClick={() => signOut.mutate()}
        aria-label="Sign out"
        title="Sign out"
      >
        <span aria-hidden="true">⇥</span>
      </Button>
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
