// The signed-in user: password, organizations, and a button to sign out everywhere.
import { BadRequestError, type UserSession } from "@footfall/sdk"
import { useState } from "react"
import { useQuery } from "@tanstack/react-query"
import { NewPasswordField } from "../session/new-password.tsx"
import { Organizations } from "../session/organizations.tsx"
import { footfall, session } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { useTitle } from "../ui/screen.tsx"
import { useWrite } from "../ui/use-write.ts"
import { Badge } from "../ui/badge.tsx"
import { Confirm } from "../ui/confirm.tsx"
import { Read } from "../ui/read.tsx"
import { plural, Time } from "../ui/time.tsx"
import { clientName } from "./client-name.ts"
import { isolated } from "../ui/isolated.ts"

const Account = () => {
  useTitle("Account · Settings")
  return (
    <div className="settings">
      <Password />
      <Sessions />
      <section className="card stack" aria-label="Organizations">
        <h2>Organizations</h2>
        <Organizations />
      </section>
    </div>
  )
}

const Password = () => {
  const { user } = useMe()
  const [current, setCurrent] = useState("")
  const [next, setNext] = useState("")
  const change = useWrite({
    write: () => session.changePassword(current, next),
    changes: [["sessions"]],
    notice: () => ({ text: "Changed your password. Other sessions have ended." }),
    onDone: () => {
      setCurrent("")
      setNext("")
    },
  })
  const isWrong = change.error instanceof BadRequestError && change.error.issues.length === 0
  return (
    <form
      className="card stack"
      aria-label="Password"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <h2>Password</h2>
      {/* For password managers. */}
      <input type="hidden" name="email" autoComplete="username" value={user.email} readOnly />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        wrong={isWrong ? "This is not your current password." : undefined}
        value={current}
        onValue={setCurrent}
      />
      <NewPasswordField value={next} onValue={setNext} />
      <Problem error={isWrong ? null : change.error} title="The password was not changed" />
      <div>
        <Button kind="primary" type="submit" isBusy={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  )
}

// The user's sessions, each with its browser and last use, and buttons to end one, all others or all.
const Sessions = () => {
  const { user } = useMe()
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => footfall.auth.listSessions({ signal }),
  })
  return (
    <section className="card stack" aria-label="Sessions">
      <h2>Sessions</h2>
      <p className="break">Signed in as {user.email}.</p>
      <Read query={sessions}>
        {(all) => (
          <>
            <ul className="stack">
              {all.map((one) => (
                <Line key={one.id} one={one} />
              ))}
            </ul>
            <Everywhere others={all.filter(({ isCurrent }) => !isCurrent).length} />
          </>
        )}
      </Read>
    </section>
  )
}

const Line = ({ one }: { readonly one: UserSession }) => {
  const { createdAt, id, isConsole, isCurrent, lastUsedAt, userAgent } = one
  const name = clientName(userAgent)
  const end = useWrite({
    write: () => footfall.auth.deleteSession(id),
    changes: [["sessions"]],
    notice: () => ({ text: isolated`Ended the session of ${name}` }),
  })
  return (
    <li className="stack">
      <div className="spread">
        <span className="break" title={userAgent ?? undefined}>
          {name} <span className="soft small">{isConsole ? "console" : "terminal or program"}</span>
        </span>
        {isCurrent ? (
          <Badge tone="good">this session</Badge>
        ) : (
          <Button
            isBusy={end.isPending}
            onClick={() => end.mutate()}
            aria-label={`End the session of ${name}`}
          >
            End
          </Button>
        )}
      </div>
      <p className="soft small">
        Last used <Time at={lastUsedAt} /> · signed in <Time at={createdAt} />
      </p>
      <Problem error={end.error} title="The session was not ended" />
    </li>
  )
}

const Everywhere = ({ others }: { readonly others: number }) => {
  const [asked, setAsked] = useState<"others" | "all">()
  const close = () => setAsked(undefined)
  const endOthers = useWrite({
    write: () => footfall.auth.endOtherSessions(),
    changes: [["sessions"]],
    notice: ({ ended }) => ({ text: `Ended ${plural(ended, "other session")}` }),
    onDone: close,
  })
  const endAll = useWrite({ write: () => session.signOutEverywhere() })
  return (
    <>
      <div className="row">
        {others > 0 && <Button onClick={() => setAsked("others")}>End other sessions…</Button>}
        <Button isDanger onClick={() => setAsked("all")}>
          Sign out everywhere…
        </Button>
      </div>
      {asked === "others" && (
        <Confirm
          title={`End ${plural(others, "other session")}?`}
          verb="End other sessions"
          isBusy={endOthers.isPending}
          error={endOthers.error}
          onConfirm={() => endOthers.mutate()}
          onClose={close}
        >
          <Hour />
        </Confirm>
      )}
      {asked === "all" && (
        <Confirm
          title="Sign out everywhere?"
          verb="Sign out everywhere"
          isBusy={endAll.isPending}
          error={endAll.error}
          onConfirm={() => endAll.mutate()}
          onClose={close}
        >
          <Hour />
        </Confirm>
      )}
    </>
  )
}

const Hour = () => (
  <p>
    Browsers and terminals can no longer renew their session. They may keep working for up to an
    hour. To stop them immediately, change your password.
  </p>
)

export default Account
