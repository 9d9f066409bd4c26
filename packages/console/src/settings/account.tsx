// The signed-in user: password, organizations, and a button to sign out everywhere.
import { BadRequestError } from "@footfall/sdk"
import { useState } from "react"
import { NewPasswordField } from "../session/new-password.tsx"
import { Organizations } from "../session/organizations.tsx"
import { session } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { TextField } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { useTitle } from "../ui/screen.tsx"
import { useWrite } from "../ui/use-write.ts"
import { Sessions } from "./sessions.tsx"

const Account = () => {
  useTitle("Account")
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

export default Account
